#include "base/mix.hpp"

#include <gtest/gtest.h>

namespace strata {

namespace {

TEST(Mix, IsSplitmix64)
{
  // The first numbers that the published generator draws from seed 0.
  EXPECT_EQ(mixed(golden_ratio), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mixed(2 * golden_ratio), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(mixed_to_unit(golden_ratio),
            static_cast<double>(0xe220a8397b1dcdafULL >> 11) / (index_t{1} << 53));
}

TEST(Mix, SamplesAreItems)
{
  for (index_t sample = 0; sample < 100; ++sample) {
    EXPECT_GE(sampled(sample, 7), 0);
    EXPECT_LT(sampled(sample, 7), 7);
  }
}

} // namespace

} // namespace strata
