#include "example.hpp"

#include "report/record.hpp"

#include <gtest/gtest.h>

namespace strata::report {
namespace {

TEST(Rate, IsTheAmountOverTheMedianTime)
{
  measure::Statistics const time{
      .n = 9, .median = 2, .best = 1.6, .ci95 = measure::Interval{1.6, 2.5}};
  auto const fom = rate("bandwidth", "B/s", Scope::device, 8, time);
  EXPECT_EQ(fom.metric, "bandwidth");
  EXPECT_EQ(fom.unit, "B/s");
  EXPECT_EQ(fom.better, Better::higher);
  EXPECT_EQ(fom.scope, Scope::device);
  EXPECT_DOUBLE_EQ(fom.value, 4);
  EXPECT_DOUBLE_EQ(fom.best, 5);
  EXPECT_EQ(fom.n, 9);
  ASSERT_TRUE(fom.ci95);
  EXPECT_DOUBLE_EQ(fom.ci95->low, 3.2); // the longest time is the lowest rate
  EXPECT_DOUBLE_EQ(fom.ci95->high, 5);
}

TEST(Rate, HasNoIntervalWhereTheTimeHasNone)
{
  EXPECT_FALSE(rate("bandwidth", "B/s", Scope::job, 8, {.n = 3, .median = 2, .best = 2}).ci95);
}

TEST(Case, ShowsTheFirstFigureOfTheWholeJob)
{
  auto one = example::stream_case("triad", "span", 1, 0);
  std::swap(one.foms[0], one.foms[1]);
  ASSERT_NE(one.primary(), nullptr);
  EXPECT_EQ(one.primary()->scope, Scope::job);
}

TEST(Case, HasFiguresOnlyWhenMeasured)
{
  auto one = example::stream_case("triad", "span", 1, 0);
  EXPECT_EQ(one.figures().size(), 2U);
  for (auto const status : {Status::failed, Status::unavailable, Status::incomplete}) {
    one.status = status;
    EXPECT_TRUE(one.figures().empty());
    EXPECT_EQ(one.primary(), nullptr);
  }
}

TEST(Case, HasNoStatisticsBeforeItsFirstSample)
{
  EXPECT_FALSE(Case{}.statistics());
}

} // namespace
} // namespace strata::report
