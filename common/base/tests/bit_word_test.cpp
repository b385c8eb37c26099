#include "base/bit_word.hpp"

#include <gtest/gtest.h>

namespace strata {

namespace {

TEST(BitWord, FindsItsEndsAndCounts)
{
  for (int low = 0; low < 64; ++low)
    for (int high = low; high < 64; ++high) {
      auto const word = std::uint64_t{1} << low | std::uint64_t{1} << high;
      EXPECT_EQ(lowest_bit(word), low);
      EXPECT_EQ(highest_bit(word), high);
      EXPECT_EQ(bits_set(word), low == high ? 1 : 2);
    }
  EXPECT_EQ(bits_set(0), 0);
  EXPECT_EQ(bits_set(~std::uint64_t{0}), 64);
}

} // namespace

} // namespace strata
