#include "array/sparse/sparse.hpp"
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

/// Two entries in each line, at places `first` and 3.
struct Pairs
{
  std::int32_t first;
  KOKKOS_FUNCTION index_t count(index_t) const { return 2; }
  KOKKOS_FUNCTION void fill(index_t, std::int32_t* places, double* values) const
  {
    places[0] = first;
    places[1] = 3;
    values[0] = values[1] = 1;
  }
};

TEST(Sparse, StopsAtLinesAndPlacesOutOfOrder)
{
  if constexpr (!bounds_checked)
    GTEST_SKIP() << "bounds are checked in Debug builds";
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  using Matrix = Sparse<double, Compressed::rows, std::int32_t, HostSpace>;
  Matrix const matrix("strata::test::csr", 5, 4, Pairs{1});
  auto const a = matrix.read();
  EXPECT_DEATH(a.begin(5), "index out of bounds");
  EXPECT_DEATH(a.end(-1), "index out of bounds");
  EXPECT_DEATH(a.place(10), "index out of bounds");
  EXPECT_DEATH(a.value(-1), "index out of bounds");
  EXPECT_DEATH(a(0, 4), "index out of bounds");
  EXPECT_DEATH(a(5, 0), "index out of bounds");
  // As the matrix is made, and in spans of a caller's own memory as an element is looked up.
  EXPECT_DEATH(Matrix("strata::test::csr", 5, 8, Pairs{7}), "out of order");
  EXPECT_DEATH(Matrix("strata::test::csr", 5, 8, Pairs{3}), "out of order");
  EXPECT_DEATH(Matrix("strata::test::csr", 5, 2, Pairs{0}), "out of order");
  std::vector<index_t> const offsets{0, 3};
  std::vector<std::int32_t> const places{0, 5, 2};
  std::vector<double> const values(3, 1.0);
  SparseSpan<double const, std::int32_t, Compressed::rows> const unsorted(
      1, 8, offsets.data(), places.data(), values.data(), "unsorted");
  EXPECT_DEATH(unsorted(0, 5), "out of order");
}

} // namespace

} // namespace strata
