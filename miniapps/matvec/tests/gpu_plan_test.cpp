#include "kernels/fastest.hpp"
#include "trials/gpu_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

// How `auto` divides a product over a GPU's teams: whatever the shape, every column is in one
// part, the memory for shared sums suffices, and a large matrix occupies the device.

namespace strata::matvec {

namespace {

constexpr index_t resident = 528; // teams that an H200 runs at once: 132 x 4
constexpr index_t word = sizeof(double);
constexpr int width = 2;

constexpr index_t extents[] = {1,    2,    3,     10,    29,     64,      100,     317,
                               1000, 3163, 10007, 31623, 100003, 1000003, 10000019};

template <class F>
void for_each_shape(F const& f)
{
  for (auto const rows : extents)
    for (auto const cols : extents)
      if (rows * cols <= index_t{1} << 33)
        f(rows, cols);
}

void expect_complete(Plan const& plan, index_t terms)
{
  ASSERT_GE(plan.parts * plan.part_terms, terms);
  ASSERT_LT((plan.parts - 1) * plan.part_terms, std::max<index_t>(terms, 1));
  if (plan.parts > 1) {
    ASSERT_LE(plan.parts * plan.blocks, tuning::most_sharing_teams);
  }
}

} // namespace

TEST(AlongPlan, HasEveryPackInOnePart)
{
  for_each_shape([](index_t rows, index_t cols) {
    SCOPED_TRACE(::testing::Message() << rows << " x " << cols);
    for (bool const groups : {true, false})
      for (index_t const apart : {1, width}) {
        index_t const packs = cols / width;
        for (auto const& plan :
             along_plans(rows, packs, apart, width * word, resident, groups)) {
          expect_complete(plan, packs);
          Way const& way = ways.at(plan.way);
          EXPECT_GE(plan.blocks * (tuning::dot_team / way.lanes) * way.rows, rows);
          if (way.lanes < tuning::dot_team) {
            EXPECT_EQ(plan.parts, 1);
            EXPECT_TRUE(groups);
          }
        }
      }
  });
}

TEST(AcrossPlan, HasEveryElementInOneTeam)
{
  for (int const phases : {1, width})
    for_each_shape([&](index_t rows, index_t cols) {
      SCOPED_TRACE(::testing::Message()
                   << rows << " x " << cols << ", " << phases << " phases");
      for (auto const& plan : across_plans(rows, cols, width, word, phases, resident)) {
        expect_complete(plan, cols);
        EXPECT_EQ(plan.part_terms % phases, 0);
        index_t const owned = ((index_t{1} << plan.along_bits) - (phases > 1 ? 1 : 0)) * width;
        EXPECT_GE(plan.blocks * owned, rows);
        EXPECT_LT((plan.blocks - 1) * owned, rows);
        EXPECT_LE(owned, tuning::most_team_rows);
      }
    });
}

TEST(Plans, HaveNoTeamForARankWithoutRows)
{
  for (index_t const cols : {0, 1, 1000}) {
    for (auto const& plan : along_plans(0, cols / width, 1, width * word, resident, true))
      EXPECT_EQ(plan.blocks, 0);
    for (auto const& plan : across_plans(0, cols, width, word, 1, resident))
      EXPECT_EQ(plan.blocks, 0);
  }
}

TEST(AcrossPlan, OccupiesTheDeviceByAnyLargeShape)
{
  for (int const phases : {1, width})
    for_each_shape([&](index_t rows, index_t cols) {
      if (rows * cols < index_t{1} << 26)
        return;
      SCOPED_TRACE(::testing::Message()
                   << rows << " x " << cols << ", " << phases << " phases");
      auto const plan = across_plans(rows, cols, width, word, phases, resident).front();
      EXPECT_GE(2 * plan.parts * plan.blocks, resident);
    });
}

TEST(Shortlist, KeepsTheFastestByTheModelOnceEach)
{
  constexpr int offered = 20;
  Shortlist<int> list(resident);
  for (int const repeat : {0, 1})
    for (int trips = offered - repeat; trips > 0; --trips)
      list.offer({resident, 1, trips, 1, 0}, trips);
  EXPECT_EQ(list.plans(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(WithStreaming, TriesBothKindsOfLoadsOnlyOutOfTheCache)
{
  std::vector<Plan> const plans = along_plans(1000, 1000, 1, width * word, resident, true);
  EXPECT_EQ(with_streaming(plans, true), plans);
  auto const both = with_streaming(plans, false);
  ASSERT_EQ(both.size(), 2 * plans.size());
  for (std::size_t k = 0; k < both.size(); ++k) {
    Plan expected = plans[k % plans.size()];
    expected.streams = k >= plans.size();
    EXPECT_EQ(both[k], expected) << k;
  }
}

TEST(Plans, KeepNoneThatCouldNotBeMade)
{
  Plans<int> known;
  EXPECT_THROW(known.of(3, 4, []() -> int { throw std::runtime_error("no device"); }),
               std::runtime_error);
  EXPECT_EQ(known.of(3, 4, [] { return 5; }), 5);
  EXPECT_EQ(known.of(3, 4, [] { return 6; }), 5);
}

TEST(FastestOf, TakesThePlanWhoseLaunchesEndFirst)
{
  auto const wait = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  EXPECT_EQ(fastest_of(std::vector<int>{30, 0, 20}, wait), 0);
  int launches = 0;
  EXPECT_EQ(fastest_of(std::vector<int>{7}, [&](int) { ++launches; }), 7);
  EXPECT_EQ(launches, 0);
}

TEST(AcrossPlan, ReadsWholePiecesOfLongColumns)
{
  for (index_t const rows : {500, 777, 3200, 16384, 100000}) {
    auto const plan = across_plans(rows, 20000, width, word, 1, resident).front();
    EXPECT_GE((width * word) << plan.along_bits, 256) << rows;
  }
}

} // namespace strata::matvec
