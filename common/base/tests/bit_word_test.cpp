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
  EXPECT_EQ(bits_set(std::uint64_t{0}), 0);
  EXPECT_EQ(bits_set(~std::uint64_t{0}), 64);
}

TEST(BitWord, IsReversed)
{
  for (int k = 0; k < 32; ++k)
    EXPECT_EQ(reversed(std::uint32_t{1} << k), std::uint32_t{1} << (31 - k));
  EXPECT_EQ(reversed(0x80000003U), 0xc0000001U);
}

} // namespace

} // namespace strata
