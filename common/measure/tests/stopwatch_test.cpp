#include "base/error.hpp"
#include "measure/stopwatch.hpp"

#include <gtest/gtest.h>

namespace strata::measure {
namespace {

using runtime::Communicator;

TEST(Stopwatch, TakesEveryStepOnce)
{
  int steps = 0;
  take(Communicator::self(), 7, [&] { ++steps; });
  EXPECT_EQ(steps, 7);
}

TEST(Stopwatch, OrdersItsNumbersAndGivesThemToEveryRank)
{
  auto const world = Communicator::world();
  double volatile sink = 0;
  auto const sample = take(world, 2, [&] {
    for (int i = 0; i < 1000 * (world.rank() + 1); ++i)
      sink = sink + i;
  });
  EXPECT_GT(sample.min_s, 0);
  EXPECT_LE(sample.min_s, sample.mean_s * (1 + 1e-12));
  EXPECT_LE(sample.mean_s, sample.max_s * (1 + 1e-12));
  EXPECT_EQ(world.max(sample.max_s), world.min(sample.max_s));
  EXPECT_EQ(world.max(sample.mean_s), world.min(sample.mean_s));
}

TEST(Stopwatch, OfOneRankSeesOneTime)
{
  auto const sample = take(Communicator::self(), 1, [] {});
  EXPECT_EQ(sample.min_s, sample.max_s);
  EXPECT_EQ(sample.mean_s, sample.max_s);
}

TEST(Stopwatch, RefusesASampleOfNoSteps)
{
  EXPECT_THROW(take(Communicator::self(), 0, [] {}), Error);
}

TEST(ClockResolution, IsATickOfTheClock)
{
  EXPECT_GT(clock_resolution(), 0);
  EXPECT_EQ(clock_resolution(), clock_resolution()) << "measured once";
}

} // namespace
} // namespace strata::measure
