#include "base/decades.hpp"

#include <gtest/gtest.h>

namespace strata {

namespace {

using Sizes = std::vector<index_t>;

TEST(Decades, AreOneTwoAndFiveTimesTheFirstUpToTheLast)
{
  EXPECT_EQ(decades(1, 100), (Sizes{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_EQ(decades(30, 700), (Sizes{30, 60, 150, 300, 600, 700}));
}

TEST(Decades, EndWithTheLastThatIsNoStep)
{
  EXPECT_EQ(decades(1000, 5001), (Sizes{1000, 2000, 5000, 5001}));
}

TEST(Decades, AreTheLastAloneWhereTheFirstIsNotBelowIt)
{
  EXPECT_EQ(decades(7, 7), Sizes{7});
  EXPECT_EQ(decades(8, 7), Sizes{7});
}

TEST(Decades, PassThirtyTwoBits)
{
  EXPECT_EQ(decades(1'000'000'000, 10'000'000'000),
            (Sizes{1'000'000'000, 2'000'000'000, 5'000'000'000, 10'000'000'000}));
}

} // namespace

} // namespace strata
