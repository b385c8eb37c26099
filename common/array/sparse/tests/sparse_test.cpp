#include "array/sparse/sparse.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
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

using OnHost = Sparse<double, Compressed::rows, std::int32_t, HostSpace>;

/// The matrix (0 5 0; 0 0 0; 1 0 2) with `offsets` elements for its offsets.
OnHost over_arrays(index_t offsets)
{
  OnHost::Line<index_t> const begins("strata::test::offsets", offsets);
  OnHost::Line<std::int32_t> const places("strata::test::places", 3);
  OnHost::Line<double> const values("strata::test::values", 3);
  int const begin[] = {0, 1, 1, 3};
  int const place[] = {1, 0, 2};
  for (index_t i = 0; i < std::min<index_t>(offsets, 4); ++i)
    begins(i) = begin[i];
  for (index_t entry = 0; entry < 3; ++entry) {
    places(entry) = place[entry];
    values(entry) = entry == 0 ? 5.0 : static_cast<double>(entry);
  }
  return {"strata::test::given", 3, 3, begins, places, values};
}

TEST(Sparse, MayBeOverArraysMadeBefore)
{
  auto const matrix = over_arrays(4);
  auto const a = matrix.read();
  double const expected_values[3][3] = {{0, 5, 0}, {0, 0, 0}, {1, 0, 2}};
  for (index_t i = 0; i < 3; ++i)
    for (index_t j = 0; j < 3; ++j)
      EXPECT_EQ(a(i, j), expected_values[i][j]) << i << " " << j;
  try {
    over_arrays(3);
    FAIL() << "an offset is missing";
  } catch (std::invalid_argument const& error) {
    EXPECT_STREQ(error.what(),
                 "sparse matrix 'strata::test::given' of 3 lines and 3 entries has 3 offsets "
                 "and 3 values; it needs one offset more than lines and one value per entry");
  }
}

TEST(Sparse, IsCopiedWithItsPattern)
{
  Sparse<double> const device("strata::test::csr", 103, 8, Staggered<std::int32_t>());
  auto const host = device.mirror<HostSpace>();
  copy(host, device);
  auto const a = host.read();
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t j = 0; j < a.columns(); ++j)
      EXPECT_EQ(a(i, j), expected(i, j)) << i << " " << j;
  EXPECT_THROW(
      copy(host, Sparse<double>("strata::test::other", 102, 8, Staggered<std::int32_t>())),
      std::invalid_argument);
  if constexpr (device_is_host) {
    EXPECT_EQ(host_mirror(device).read().values(), device.read().values());
  }
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
  EXPECT_DEATH(a.begin(5), "is outside");
  EXPECT_DEATH(a.end(-1), "is outside");
  EXPECT_DEATH(a.place(10), "is outside");
  EXPECT_DEATH(a.value(-1), "is outside");
  EXPECT_DEATH(a(0, 4), "is outside");
  EXPECT_DEATH(a(5, 0), "is outside");
  // As the matrix is made, and in spans of a caller's own memory as an element is looked up.
  EXPECT_DEATH(Matrix("strata::test::csr", 5, 8, Pairs{7}), "places ascend within");
  EXPECT_DEATH(Matrix("strata::test::csr", 5, 8, Pairs{3}), "places ascend within");
  EXPECT_DEATH(Matrix("strata::test::csr", 5, 2, Pairs{0}), "places ascend within");
  std::vector<index_t> const offsets{0, 3};
  std::vector<std::int32_t> const places{0, 5, 2};
  std::vector<double> const values(3, 1.0);
  SparseSpan<double const, std::int32_t, Compressed::rows> const unsorted(
      1, 8, offsets.data(), places.data(), values.data(), "unsorted");
  EXPECT_DEATH(unsorted(0, 5), "places ascend within");
}

} // namespace

} // namespace strata
