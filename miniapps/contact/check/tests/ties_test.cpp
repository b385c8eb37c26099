#include "check/judge.hpp"
#include "io/tests/files.hpp"

#include <array>
#include <cmath>

// Objects just as far apart as touch, in decimal numbers, whose differences and sums are
// rounded: either both of a pair have the other in their row, or neither.

namespace strata::contact {

namespace {

/// Numbers in [0, count), the same on every rank.
class Draws
{
public:
  index_t operator()(index_t count)
  {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<index_t>(state_ >> 33) % count;
  }

private:
  std::uint64_t state_ = 1;
};

double number(index_t hundredths)
{
  return static_cast<double>(hundredths) / 100;
}

/// A number that is not negative, as a file has it.
std::string decimal(index_t hundredths)
{
  return std::to_string(hundredths / 100) + "." + std::to_string(hundredths / 10 % 10) +
         std::to_string(hundredths % 10);
}

/// Two boxes on a line, in memory that a kernel's test may read.
class PairOfBoxes
{
public:
  PairOfBoxes(std::array<double, 2> const& at, std::array<double, 2> const& half, double gap)
  {
    std::copy(at.begin(), at.end(), at_.begin());
    std::copy(half.begin(), half.end(), half_.begin());
    for (int k = 0; k < 3; ++k) {
      touch_.in.at[k] = k == 0 ? at_.data() : nowhere_.data();
      touch_.in.half[k] = half_.data();
    }
    touch_.in.gap = gap;
    scene_.shape = Shape::box;
    scene_.gap = gap;
    scene_.exact = false;
  }
  PairOfBoxes(PairOfBoxes const&) = delete;
  PairOfBoxes& operator=(PairOfBoxes const&) = delete;

  [[nodiscard]] bool near(index_t i, index_t j) const { return touch_.near(i, j); }
#if defined(STRATA_LANES)
  [[nodiscard]] bool near_in_lanes(index_t i, index_t j) const
  {
    return touch_.near(i, LaneIndex{0})[j] != 0;
  }
#endif
  [[nodiscard]] bool judged(std::size_t i, std::size_t j) const
  {
    auto const placed = [](Object const& object) {
      return Placed{&object, nullptr, object.at, object.body, false};
    };
    auto const object = [this](std::size_t o) {
      auto made = sphere(static_cast<index_t>(o), {at_[o], 0, 0}, 0);
      made.half = {half_[o], half_[o], half_[o]};
      return made;
    };
    auto const a = object(i);
    auto const b = object(j);
    double gap = 0;
    return Judge(scene_, {}).touch(placed(a), placed(b), gap);
  }

private:
  using Numbers = std::array<double, 2 + Geometry::padding>;
  Numbers at_{};
  Numbers half_{};
  Numbers nowhere_{};
  TouchingBoxes touch_{};
  Scene scene_;
};

} // namespace

TEST(Ties, OfBoxesAreSeenAlikeFromBothSides)
{
  Draws draw;
  int touching = 0;
  constexpr int pairs = 20'000;
  for (int p = 0; p < pairs; ++p) {
    index_t const first = draw(10'000);
    std::array<index_t, 2> const half{draw(500), draw(500)};
    index_t const gap = p % 2 == 0 ? 0 : draw(100);
    index_t const second = first + half[0] + half[1] + gap;
    PairOfBoxes const boxes({number(first), number(second)}, {number(half[0]), number(half[1])},
                            number(gap));
    bool const judged = boxes.judged(0, 1);
    touching += judged ? 1 : 0;
    EXPECT_EQ(boxes.near(0, 1), judged) << "pair " << p;
    EXPECT_EQ(boxes.near(1, 0), judged) << "pair " << p;
    EXPECT_EQ(boxes.judged(1, 0), judged) << "pair " << p;
#if defined(STRATA_LANES)
    EXPECT_EQ(boxes.near_in_lanes(0, 1), judged) << "pair " << p;
    EXPECT_EQ(boxes.near_in_lanes(1, 0), judged) << "pair " << p;
#endif
    if (HasFailure())
      break; // one tells as much as a thousand
  }
  EXPECT_GT(touching, pairs / 4);
  EXPECT_LT(touching, pairs);
}

TEST(Ties, OfTwoBoxesOfAFileAreAContact)
{
  Folder const folder;
  auto const file = folder.write("tie.csv", "40.08 0 0 0.6\n43.15 0 0 2.47\n");
  for (auto const* shape : {"box", "sphere"})
    EXPECT_EQ(found_in(reading(file, shape)).at("build contacts"), "2") << shape;
}

// Neighbours in lines along each axis are ties; every check of every case must be passed.
TEST(Ties, OfAFilePassAllChecksInEveryStructure)
{
  Folder const folder;
  Draws draw;
  constexpr index_t gap = 30;
  std::string text;
  for (int line = 0; line < 60; ++line) {
    std::size_t const along = static_cast<std::size_t>(line) % 3;
    std::array<index_t, 3> at{};
    at[(along + 1) % 3] = 2000 * (line / 3 % 5);
    at[(along + 2) % 3] = 10'000 + 2000 * (line / 15);
    index_t half = 0;
    for (int box = 0; box < 30; ++box) {
      index_t const next = draw(500);
      at[along] += half + next + (box == 0 ? 0 : gap);
      half = next;
      for (index_t const x : at)
        text += decimal(x) + ",";
      text += decimal(half) + "\n";
    }
  }
  auto config = everything();
  auto const file = reading(folder.write("ties.csv", text));
  config.deck = file.deck;
  config.file = file.file;
  config.steps = 1;
  config.gap = number(gap);
  for (auto const* shape : {"box", "sphere"}) {
    config.shape = shape;
    EXPECT_GT(std::stoi(found_in(config)["build near_ties"]), 1000) << shape;
  }
}

} // namespace strata::contact
