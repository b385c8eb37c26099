#include "search/kept_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace strata::contact {

namespace {

struct Some
{
  std::uint32_t bits;
  int count;
};

/// Pieces of 0 to 16 bits, of so many bits in all.
std::vector<Some> pieces(int all)
{
  std::mt19937 random(static_cast<unsigned>(all));
  std::vector<Some> made;
  while (all > 0) {
    int const count = std::min(all, static_cast<int>(random() % 17));
    made.push_back({static_cast<std::uint32_t>(random()) & ((1U << count) - 1), count});
    all -= count;
  }
  return made;
}

} // namespace

TEST(KeptQueue, GivesWhatItWasGiven)
{
  for (int all = 0; all <= KeptBits::room; ++all) {
    KeptQueue queue;
    for (auto const& some : pieces(all))
      queue.put(some.bits, some.count);
    EXPECT_TRUE(queue.fits());
    KeptQueue again(queue.kept());
    EXPECT_TRUE(again.fits());
    for (auto const& some : pieces(all))
      EXPECT_EQ(again.take(some.count), some.bits) << all;
  }
}

TEST(KeptQueue, TellsThatThereWasNoRoom)
{
  for (int all = KeptBits::room + 1; all < 300; ++all) {
    KeptQueue queue;
    for (auto const& some : pieces(all))
      queue.put(some.bits, some.count);
    EXPECT_FALSE(queue.fits());
    EXPECT_FALSE(KeptQueue(queue.kept()).fits());
  }
}

} // namespace strata::contact
