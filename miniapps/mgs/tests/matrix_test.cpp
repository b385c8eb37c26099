#include "matrix/matrix.hpp"
#include "matrix/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace strata::mgs {

namespace {

reference::Columns columns_of(Matrix const& matrix)
{
  reference::Columns a{matrix.rows, {}};
  for (index_t k = 0; k < matrix.columns; ++k) {
    a.column.emplace_back();
    for (index_t i = 0; i < matrix.rows; ++i)
      a.column.back().push_back(matrix(i, k));
  }
  return a;
}

/// A lower bound of the condition: the largest column over the smallest pivot.
double least_condition(Matrix const& matrix)
{
  auto const r = reference::modified_gram_schmidt(columns_of(matrix)).r;
  double largest = 0;
  double smallest = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < r.column.size(); ++k) {
    double square = 0;
    for (double const x : r.column[k])
      square += x * x;
    largest = std::max(largest, std::sqrt(square));
    smallest = std::min(smallest, r.column[k][k]);
  }
  return largest / smallest;
}

TEST(MgsMatrix, IsBetterConditionedThanItSays)
{
  for (std::uint64_t const seed : {1, 2, 3}) {
    for (index_t const columns : {1, 2, 9, 32})
      for (index_t const rows : {columns, columns + 1, 2 * columns, 5 * columns}) {
        Matrix const random{MatrixKind::random, rows, columns, seed, 1.2};
        EXPECT_LE(least_condition(random), random.condition()) << rows << " x " << columns;
        Matrix const kahan{MatrixKind::kahan, rows, columns, seed, 1.2};
        EXPECT_LE(least_condition(kahan), kahan.condition()) << rows << " x " << columns;
      }
  }
  Matrix const laplacian{MatrixKind::laplacian, 50, 50, 1, 1.2};
  EXPECT_LE(least_condition(laplacian), laplacian.condition());
}

TEST(MgsMatrix, LaplacianHasTheConditionOfItsEigenvalues)
{
  Matrix const two{MatrixKind::laplacian, 2, 2, 1, 1.2}; // eigenvalues 1 and 3
  EXPECT_NEAR(two.condition(), 3, 1e-14);
  EXPECT_EQ(two(0, 0), 2);
  EXPECT_EQ(two(0, 1), -1);
  Matrix const large{MatrixKind::laplacian, 50, 50, 1, 1.2};
  EXPECT_EQ(large(3, 5), 0);
  EXPECT_EQ(large(4, 5), -1);
  EXPECT_EQ(large(6, 5), -1);
}

TEST(MgsMatrix, KahansRIsKahansMatrix)
{
  Matrix const kahan{MatrixKind::kahan, 37, 5, 1, 1.1};
  auto const r = reference::modified_gram_schmidt(columns_of(kahan)).r;
  double const c = std::cos(1.1);
  double const s = std::sin(1.1);
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t j = 0; j <= k; ++j)
      EXPECT_NEAR(r.column[k][j], std::pow(s, j) * (j == k ? 1 : -c), 1e-14) << j << " " << k;
}

TEST(MgsMatrix, RandomIsNeitherSymmetricNorConstantAndFollowsTheSeed)
{
  Matrix const a{MatrixKind::random, 100, 4, 1, 1.2};
  Matrix const b{MatrixKind::random, 100, 4, 2, 1.2};
  EXPECT_NE(a(0, 1), a(1, 0));
  EXPECT_NE(a(0, 0), a(1, 0));
  EXPECT_NE(a(0, 0), b(0, 0));
  for (index_t i = 0; i < 100; ++i)
    for (index_t k = 0; k < 4; ++k)
      EXPECT_LE(std::fabs(a(i, k)), 0.5);
}

} // namespace

} // namespace strata::mgs
