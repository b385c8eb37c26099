#include "runtime/share.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

TEST(Share, PartsFollowEachOtherAndCoverTheCount)
{
  for (int const ranks : {1, 2, 3, 7})
    for (index_t const count : {0, 1, 6, 7, 8, 1000003}) {
      index_t end = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        Share const share{rank, ranks};
        EXPECT_EQ(share.begin(count), end);
        end = share.end(count);
        EXPECT_EQ(share.count(count), end - share.begin(count));
      }
      EXPECT_EQ(end, count);
    }
}

TEST(Share, SizesDifferByAtMostOne)
{
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_EQ((Share{rank, 4}.count(10)), rank < 2 ? 3 : 2);
}

TEST(Share, CountsPastTwoToThe31)
{
  index_t const count = 3 * (index_t{1} << 40) + 2;
  EXPECT_EQ((Share{2, 3}.begin(count)), 2 * (index_t{1} << 40) + 2);
  EXPECT_EQ((Share{2, 3}.end(count)), count);
}

} // namespace

} // namespace strata::runtime
