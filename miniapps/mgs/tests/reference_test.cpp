#include "matrix/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace strata::mgs::reference {

namespace {

TEST(MgsReference, FactorisesBySmallWholeNumbers)
{
  // Q = (3, 4, 0)/5, (-4, 3, 0)/5; R = 5, 10; 5
  Columns const a{3, {{3, 4, 0}, {2, 11, 0}}};
  auto const [q, r] = modified_gram_schmidt(a);
  EXPECT_DOUBLE_EQ(r.column[0][0], 5);
  EXPECT_DOUBLE_EQ(r.column[1][0], 10);
  EXPECT_DOUBLE_EQ(r.column[1][1], 5);
  EXPECT_EQ(r.column[0][1], 0);
  EXPECT_DOUBLE_EQ(q.column[0][0], 0.6);
  EXPECT_DOUBLE_EQ(q.column[1][0], -0.8);
  EXPECT_DOUBLE_EQ(q.column[1][1], 0.6);
  EXPECT_EQ(q.column[1][2], 0);
}

} // namespace

} // namespace strata::mgs::reference
