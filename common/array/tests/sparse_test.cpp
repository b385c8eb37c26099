#include "array/sparse.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace strata {

namespace {

/// Line l has l % 4 entries, at places 2k + l % 2 for k below that, of value 100 l + place;
/// lines of no entry are among them.
template <class Place>
struct Staggered
{
  KOKKOS_FUNCTION index_t count(index_t line) const { return line % 4; }
  KOKKOS_FUNCTION void fill(index_t line, Place* places, double* values) const
  {
    for (index_t k = 0; k < count(line); ++k) {
      places[k] = static_cast<Place>(2 * k + line % 2);
      values[k] = static_cast<double>(100 * line + places[k]);
    }
  }
};

double expected(index_t line, index_t place)
{
  bool const stored = place % 2 == line % 2 && place / 2 < line % 4;
  return stored ? static_cast<double>(100 * line + place) : 0;
}

TEST(Sparse, StoresRowsAndLooksElementsUp)
{
  testing::Listener const listener;
  Sparse<double, Compressed::rows, std::int32_t, HostSpace> const matrix(
      "strata::test::csr", 103, 8, Staggered<std::int32_t>());
  EXPECT_EQ(matrix.rows(), 103);
  EXPECT_EQ(matrix.columns(), 8);
  EXPECT_EQ(matrix.entries(), 25 * 6 + 0 + 1 + 2);
  EXPECT_EQ(matrix.bytes(), 104 * 8 + 153 * 12);
  auto const a = matrix.read();
  for (index_t i = 0; i < a.rows(); ++i) {
    EXPECT_EQ(a.end(i) - a.begin(i), i % 4);
    for (index_t j = 0; j < a.columns(); ++j)
      EXPECT_EQ(a(i, j), expected(i, j)) << i << " " << j;
  }
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(Sparse, StoresColumnsAndLooksElementsUp)
{
  Sparse<double, Compressed::columns, index_t, HostSpace> const matrix(
      "strata::test::csc", 8, 103, Staggered<index_t>());
  EXPECT_EQ(matrix.rows(), 8);
  EXPECT_EQ(matrix.columns(), 103);
  auto const a = matrix.read();
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t j = 0; j < a.columns(); ++j)
      EXPECT_EQ(a(i, j), expected(j, i)) << i << " " << j;
}

TEST(Sparse, MayBeEmpty)
{
  Sparse<double, Compressed::rows, std::int32_t, HostSpace> const matrix(
      "strata::test::csr", 0, 0, Staggered<std::int32_t>());
  EXPECT_EQ(matrix.entries(), 0);
}

} // namespace

} // namespace strata
