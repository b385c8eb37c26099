#include "operands.hpp"

#include "array/dense/array.hpp"
#include "array/sparse/sparse.hpp"
#include "kernels/batched_kernels.hpp"
#include "kernels/sparse_kernels.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// Kernels whose work items share rows and matrices (a GPU's), or have many (a host's).

namespace strata::matvec {

namespace {

template <class A>
void spoil(A const& numbers)
{
  std::fill_n(numbers.data(), numbers.mapping().required_span_size(), static_cast<double>(NAN));
}

/// Rows of no entry up to many.
struct Uneven
{
  static constexpr index_t columns = 400;

  KOKKOS_FUNCTION index_t count(index_t row) const { return row * 7 % 83; }
  KOKKOS_FUNCTION static index_t column(index_t row, index_t k) { return row % 13 + k * 4; }
  KOKKOS_FUNCTION void fill(index_t row, std::int32_t* places, double* values) const
  {
    for (index_t k = 0; k < count(row); ++k) {
      places[k] = static_cast<std::int32_t>(column(row, k));
      values[k] = whole(row, column(row, k));
    }
  }
};

template <int Lanes, int AtOnce>
void expect_sparse_rows(index_t rows)
{
  Sparse<double, Compressed::rows, std::int32_t, HostSpace> const matrix(
      "strata::test::matrix", rows, Uneven::columns, Uneven());
  HostArray<double, LayoutRight, 1> const x("strata::test::x", Dynamic<1>(Uneven::columns));
  HostArray<double, LayoutRight, 1> const y("strata::test::y", Dynamic<1>(rows));
  for (index_t j = 0; j < Uneven::columns; ++j)
    x.write()(j) = whole(j, 5);
  spoil(y);
  auto const a = matrix.read();
  auto const in = x.read();
  auto const out = y.write();
  using Kernel =
      SparseRows<Lanes, AtOnce, std::remove_const_t<decltype(a)>,
                 std::remove_const_t<decltype(in)>, std::remove_const_t<decltype(out)>>;
  testing::run_on_threads<Kernel::members>((rows + Kernel::rows - 1) / Kernel::rows,
                                           Kernel{a, in, out});
  for (index_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (index_t k = 0; k < Uneven().count(row); ++k)
      sum += whole(row, Uneven::column(row, k)) * whole(Uneven::column(row, k), 5);
    EXPECT_EQ(out(row), sum) << row << " of " << rows << ", lanes " << Lanes;
  }
}

TEST(SparseRows, AreSharedByAnyNumberOfLanes)
{
  for (index_t const rows : {1, 31, 300}) {
    expect_sparse_rows<1, tuning::short_sparse_row>(rows);
    expect_sparse_rows<4, tuning::sparse_entries>(rows);
    expect_sparse_rows<32, tuning::sparse_entries>(rows);
  }
}

TEST(SparseColumn, AddsEveryEntryHoweverManyAtOnce)
{
  constexpr index_t columns = 90;
  Sparse<double, Compressed::columns, std::int32_t, HostSpace> const matrix(
      "strata::test::matrix", columns, Uneven::columns, Uneven());
  HostArray<double, LayoutRight, 1> const x("strata::test::x", Dynamic<1>(columns));
  HostArray<double, LayoutRight, 1> const y("strata::test::y", Dynamic<1>(Uneven::columns));
  std::vector<double> expected(Uneven::columns);
  for (index_t col = 0; col < columns; ++col) {
    x.write()(col) = whole(col, 5);
    for (index_t k = 0; k < Uneven().count(col); ++k)
      expected[static_cast<std::size_t>(Uneven::column(col, k))] +=
          whole(col, Uneven::column(col, k)) * whole(col, 5);
  }
  auto const a = matrix.read();
  auto const in = x.read();
  auto const out = y.write<AccessAtomic>();
  using A = std::remove_const_t<decltype(a)>;
  using X = std::remove_const_t<decltype(in)>;
  using Y = std::remove_const_t<decltype(out)>;
  auto const expect_sums = [&]<int AtOnce>(std::integral_constant<int, AtOnce>) {
    std::fill_n(y.data(), Uneven::columns, 0.0);
    for (index_t col = 0; col < columns; ++col)
      SparseColumn<AtOnce, A, X, Y>{a, in, out}(col);
    EXPECT_EQ(std::vector(y.data(), y.data() + Uneven::columns), expected) << AtOnce;
  };
  expect_sums(std::integral_constant<int, 1>());
  expect_sums(std::integral_constant<int, tuning::column_entries>());
}

/// Matrices of an order, and what `launch(A, x, y)` makes of them.
template <class Layout, class Launch>
void expect_batch(index_t order, Launch const& launch, index_t count = 5)
{
  HostArray<double, Layout, 3> const matrices("strata::test::matrices",
                                              Dynamic<3>(count, order, order));
  HostArray<double, Layout, 2> const x("strata::test::x", Dynamic<2>(count, order));
  HostArray<double, Layout, 2> const y("strata::test::y", Dynamic<2>(count, order));
  for (index_t b = 0; b < count; ++b)
    for (index_t i = 0; i < order; ++i) {
      x.write()(b, i) = whole(b, i);
      for (index_t j = 0; j < order; ++j)
        matrices.write()(b, i, j) = whole(b * order + i, j);
    }
  spoil(y);
  auto const out = y.write();
  launch(matrices.read(), x.read(), out);
  for (index_t b = 0; b < count; ++b)
    for (index_t i = 0; i < order; ++i) {
      double sum = 0;
      for (index_t j = 0; j < order; ++j)
        sum += whole(b * order + i, j) * whole(b, j);
      EXPECT_EQ(out(b, i), sum) << b << ' ' << i << " of order " << order;
    }
}

template <int Lanes>
void expect_batched_rows(index_t order)
{
  expect_batch<LayoutRight>(order, [](auto a, auto x, auto y) {
    using Kernel = BatchedRows<Lanes, decltype(a), decltype(x), decltype(y)>;
    testing::run_on_threads<Kernel::members>(
        (a.extent(0) + Kernel::matrices - 1) / Kernel::matrices, Kernel{a, x, y});
  });
}

TEST(BatchedRows, ShareAMatrixWhateverItsOrder)
{
  for (index_t const order : {1, 9, 16, 17, 33}) {
    expect_batched_rows<16>(order);
    expect_batched_rows<32>(order);
  }
}

TEST(BatchedAtOnce, TakesMatricesOfFewRows)
{
  auto const launch = [](auto a, auto x, auto y) {
    using Kernel = BatchedAtOnce<tuning::batched_few, decltype(a), decltype(x), decltype(y)>;
    for_each<Host>(a.extent(0), Kernel{a, x, y});
    Kokkos::fence();
  };
  for (index_t order = 1; order <= tuning::batched_few; ++order) {
    expect_batch<LayoutLeft>(order, launch);
    expect_batch<LayoutTiled<32>>(order, launch, 37);
  }
}

TEST(BatchedBlocks, TakeRowsOfMatricesSideBySide)
{
  for (index_t const order : {1, 8, 9, 33})
    expect_batch<LayoutLeft>(order, [&](auto a, auto x, auto y) {
      using Kernel = BatchedBlocks<8, decltype(a), decltype(x), decltype(y)>;
      for_each<Host>(in_order_of<LayoutLeft>(Dynamic<2>(a.extent(0), Kernel::blocks(order))),
                     Kernel{a, x, y});
      Kokkos::fence();
    });
}

TEST(BatchedStretches, GoOnFromStretchToStretch)
{
  for (index_t const order : {1, 5, 8, 13})
    for (index_t const length : {8, 16, 64})
      expect_batch<LayoutLeft>(
          order,
          [&](auto a, auto x, auto y) {
            using Kernel = BatchedStretches<decltype(a), decltype(x), decltype(y), 8>;
            Kernel const kernel{a, x, y, length};
            EXPECT_EQ(kernel.stretches(), (37 + length - 1) / length);
            for_each_team<1, Host>(kernel.stretches(), kernel);
            Kokkos::fence();
          },
          37);
}

TEST(BatchedStretches, AreAlikeForAllThreads)
{
  EXPECT_EQ(stretch_of(1, 4), 8);
  EXPECT_EQ(stretch_of(37, 2), 24);
  EXPECT_EQ(stretch_of(16384, 64), 256);
  for (index_t const threads : {1, 3, 16, 100})
    for (index_t const count : {1000, 16896, 270336}) {
      index_t const length = stretch_of(count, threads);
      EXPECT_EQ(length % 8, 0);
      EXPECT_LE(length, tuning::batched_stretch);
      // Stretches of the busiest thread, and what it has more than its part of the matrices.
      index_t const most = ((count + length - 1) / length + threads - 1) / threads;
      EXPECT_LE(most * length, count / threads + 8 * most + 1) << count << ", " << threads;
    }
}

} // namespace

} // namespace strata::matvec
