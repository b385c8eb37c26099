#include "runtime/mpi/communicator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <new>

namespace strata::runtime {

namespace {

TEST(Communicator, ReducesNumbers)
{
  auto const world = Communicator::world();
  auto const ranks = world.ranks();
  EXPECT_EQ(world.max(1.5 * world.rank()), 1.5 * (ranks - 1));
  EXPECT_EQ(world.min(1.5 + world.rank()), 1.5);
  EXPECT_EQ(world.sum(0.5), 0.5 * ranks);
  EXPECT_EQ(world.max(std::int64_t{world.rank()}), ranks - 1);
  EXPECT_EQ(world.min(std::int64_t{world.rank()}), 0);
  EXPECT_EQ(world.sum(std::int64_t{1} << 40), ranks * (std::int64_t{1} << 40));
  std::uint64_t const large = ~std::uint64_t{0} - 6;
  EXPECT_EQ(world.sum(large), static_cast<std::uint64_t>(ranks) * large); // modulo 2^64
}

TEST(Communicator, ReducesVectorsElementwise)
{
  auto const world = Communicator::world();
  double const last = world.ranks() - 1;
  double const rank = world.rank();
  EXPECT_EQ(world.max(std::vector<double>{rank, -rank}), (std::vector<double>{last, 0}));
  EXPECT_EQ(world.min(std::vector<double>{rank, -rank}), (std::vector<double>{0, -last}));
  EXPECT_EQ(world.sum(std::vector<double>{1, rank}),
            (std::vector<double>{last + 1, last * (last + 1) / 2}));
  std::uint64_t const large = ~std::uint64_t{0} - 6; // sums are modulo 2^64
  auto const ranks = static_cast<std::uint64_t>(world.ranks());
  EXPECT_EQ(world.sum(std::vector<std::uint64_t>{1, large}),
            (std::vector<std::uint64_t>{ranks, ranks * large}));
}

TEST(Communicator, AgreesOnTruth)
{
  auto const world = Communicator::world();
  bool const last = world.rank() == world.ranks() - 1;
  EXPECT_TRUE(world.any(last));
  EXPECT_FALSE(world.any(false));
  EXPECT_TRUE(world.all(true));
  EXPECT_EQ(world.all(last), world.ranks() == 1);
}

TEST(Communicator, BroadcastsFromRankZero)
{
  auto const world = Communicator::world();
  bool const root = world.rank() == 0;
  EXPECT_EQ(world.broadcast(std::string(root ? "deck\n\ttext" : "other, longer text")),
            "deck\n\ttext");
  EXPECT_EQ(world.broadcast(std::string()), "");
  EXPECT_EQ(world.broadcast(root ? 2.5 : 0.0), 2.5);
  EXPECT_EQ(world.broadcast(root ? std::int64_t{1} << 40 : 0), std::int64_t{1} << 40);
}

TEST(Communicator, SumsOverLowerRanks)
{
  auto const world = Communicator::world();
  auto const rank = std::int64_t{world.rank()};
  EXPECT_EQ(world.sum_before(rank + 5), rank * (rank - 1) / 2 + 5 * rank);
}

TEST(Communicator, BroadcastsFromAnyRank)
{
  auto const world = Communicator::world();
  int const last = world.ranks() - 1;
  EXPECT_EQ(world.broadcast(std::string(static_cast<std::size_t>(world.rank()), 'x'), last),
            std::string(static_cast<std::size_t>(last), 'x'));
}

TEST(Communicator, TellsTheTextOfTheLowestRankThatHasOne)
{
  auto const world = Communicator::world();
  auto const mine = std::to_string(world.rank());
  EXPECT_EQ(world.first_text(mine), "0");
  EXPECT_EQ(world.first_text(world.rank() == 0 && world.ranks() > 1 ? "" : mine),
            world.ranks() > 1 ? "1" : "0");
  EXPECT_EQ(world.first_text(""), "");
}

TEST(Communicator, SplitsByColour)
{
  auto const world = Communicator::world();
  auto const part = world.split(world.rank() % 2);
  EXPECT_EQ(part.rank(), world.rank() / 2);
  EXPECT_EQ(part.ranks(), (world.ranks() + 1 - world.rank() % 2) / 2);
  EXPECT_EQ(part.sum(std::int64_t{world.rank() % 2}), part.ranks() * (world.rank() % 2));
  EXPECT_EQ(part.split(part.rank()).ranks(), 1);
}

TEST(Communicator, GathersTextsInRankOrder)
{
  auto const world = Communicator::world();
  std::string const mine(static_cast<std::size_t>(world.rank()), 'x');
  auto const on_root = world.gather(mine);
  auto const everywhere = world.all_gather(mine);
  EXPECT_EQ(on_root.size(), world.rank() == 0 ? everywhere.size() : 0);
  ASSERT_EQ(everywhere.size(), static_cast<std::size_t>(world.ranks()));
  for (std::size_t rank = 0; rank < everywhere.size(); ++rank)
    EXPECT_EQ(everywhere[rank], std::string(rank, 'x'));
}

/// Larger than a word, with members of two sizes.
struct Labelled
{
  std::int64_t number;
  char label;

  bool operator==(Labelled const&) const = default;
};

TEST(Communicator, GathersValuesOfAllRanks)
{
  auto const world = Communicator::world();
  std::vector<Labelled> mine; // rank 0 has none
  for (int i = 0; i < world.rank(); ++i)
    mine.push_back({i, static_cast<char>('a' + world.rank())});
  auto const all = world.all_gather(mine);
  EXPECT_EQ(all.values.size(),
            static_cast<std::size_t>(world.ranks() * (world.ranks() - 1) / 2));
  for (int r = 0; r < world.ranks(); ++r) {
    auto const theirs = all.from(r);
    ASSERT_EQ(theirs.size(), static_cast<std::size_t>(r));
    for (int i = 0; i < r; ++i)
      EXPECT_EQ(theirs[static_cast<std::size_t>(i)], (Labelled{i, static_cast<char>('a' + r)}));
  }
}

// A rank may be one exchange ahead of another.
TEST(Communicator, KeepsExchangesApart)
{
  auto const world = Communicator::world();
  for (std::int64_t round = 0; round < 200; ++round) {
    std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(world.ranks()));
    auto const to = (world.rank() + round) % world.ranks();
    parts[static_cast<std::size_t>(to)].assign(static_cast<std::size_t>(round % 3 + 1), round);
    auto const from = (world.rank() + world.ranks() - round % world.ranks()) % world.ranks();
    auto const received = world.all_to_all(parts);
    EXPECT_EQ(received.values,
              std::vector<std::int64_t>(static_cast<std::size_t>(round % 3 + 1), round));
    EXPECT_EQ(received.from(static_cast<int>(from)).size(), received.values.size());
  }
}

TEST(Communicator, HandsEachRankItsPart)
{
  auto const world = Communicator::world();
  std::vector<std::vector<Labelled>> parts;
  for (int r = 0; r < world.ranks(); ++r) // rank 0 gets nothing
    parts.emplace_back(static_cast<std::size_t>(r),
                       Labelled{r, static_cast<char>('a' + world.rank())});
  auto const received = world.all_to_all(parts);
  EXPECT_EQ(received.values.size(), static_cast<std::size_t>(world.ranks() * world.rank()));
  for (int r = 0; r < world.ranks(); ++r) {
    auto const theirs = received.from(r);
    ASSERT_EQ(theirs.size(), static_cast<std::size_t>(world.rank()));
    for (auto const& value : theirs)
      EXPECT_EQ(value, (Labelled{world.rank(), static_cast<char>('a' + r)}));
  }
}

TEST(Communicator, HandsARankAloneItsOwnPart)
{
  auto const self = Communicator::self();
  EXPECT_EQ(self.all_to_all(std::vector<std::vector<int>>{{4, 2}}).values,
            (std::vector<int>{4, 2}));
  EXPECT_TRUE(self.all_to_all(std::vector<std::vector<int>>(1)).values.empty());
  EXPECT_THROW(static_cast<void>(self.all_to_all(std::vector<std::vector<int>>(2))), Error);
}

TEST(Communicator, NodeIsPartOfTheWorld)
{
  auto const world = Communicator::world();
  auto const node = Communicator::node();
  EXPECT_GE(node.ranks(), 1);
  EXPECT_LE(node.ranks(), world.ranks());
  EXPECT_LE(node.rank(), world.rank());
}

TEST(Communicator, SelfNeedsNobody)
{
  auto const self = Communicator::self();
  self.barrier();
  EXPECT_EQ(self.ranks(), 1);
  EXPECT_EQ(self.sum(2.0), 2.0);
  EXPECT_EQ(self.broadcast(std::string("text")), "text");
  EXPECT_EQ(self.gather("text"), std::vector<std::string>{"text"});
  EXPECT_EQ(self.all_gather("text"), std::vector<std::string>{"text"});
  EXPECT_THROW(self.together([] { throw Error(Exit::memory, "full"); }), Error);
}

TEST(Communicator, TogetherThrowsTheLowestRanksErrorEverywhere)
{
  auto const world = Communicator::world();
  auto const lowest = world.ranks() > 1 ? 1 : 0;
  try {
    world.together([&] {
      if (world.rank() >= lowest)
        throw Error(Exit::memory, "rank " + std::to_string(world.rank()) + " is full");
    });
    FAIL() << "no Error on rank " << world.rank();
  } catch (AgreedError const& error) {
    EXPECT_EQ(error.exit(), Exit::memory);
    EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(lowest) + " is full");
  }
  int steps = 0;
  world.together([&] { ++steps; });
  EXPECT_EQ(steps, 1);
}

TEST(Communicator, TogetherTellsOfExceptionsOfAnyKind)
{
  auto const world = Communicator::world();
  try {
    world.together([&] {
      if (world.rank() == world.ranks() - 1)
        throw std::bad_alloc();
    });
    FAIL() << "no Error on rank " << world.rank();
  } catch (AgreedError const& error) {
    EXPECT_EQ(error.exit(), Exit::memory);
  }
}

TEST(Communicator, KnowsWhetherAllRanksEndAlike)
{
  auto const world = Communicator::world();
  Failure const common(Error(Exit::deck, "no such deck"));
  EXPECT_TRUE(world.all_end_with(common));
  Failure const mine(Error(Exit::deck, "no such rank as " + std::to_string(world.rank())));
  EXPECT_EQ(world.all_end_with(mine), world.ranks() == 1);
}

TEST(Communicator, TheLargestOfNaNsIsNaN)
{
  auto const world = Communicator::world();
  for (int bad = 0; bad < world.ranks(); ++bad) {
    double const mine = world.rank() == bad ? std::nan("") : 1.0 + world.rank();
    EXPECT_TRUE(std::isnan(world.max(mine))) << bad;
    auto const both = world.max(std::vector<double>{1, mine});
    EXPECT_EQ(both[0], 1);
    EXPECT_TRUE(std::isnan(both[1])) << bad;
  }
}

TEST(Communicator, NamesTheLibrary)
{
  auto const name = mpi_library();
  EXPECT_FALSE(name.empty());
  EXPECT_EQ(name.find('\n'), std::string::npos);
  EXPECT_EQ(name.find(','), std::string::npos);
}

} // namespace

} // namespace strata::runtime
