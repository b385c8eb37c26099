#include "operands.hpp"

#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "array/sparse/sparse.hpp"
#include "kernels/symmetric_kernels.hpp"
#include "measure/work.hpp"
#include "testing/counted.hpp"
#include "testing/thread_team.hpp"
#include "testing/touched.hpp"
#include "trials/dense_launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace strata::matvec {

namespace {

using Real = testing::Counted<double>;
using testing::AccessTouched;
using testing::Operations;
using testing::Touches;
using Numbers = std::vector<double>;

HostArray<double, LayoutRight, 1> vector_of_wholes(index_t count)
{
  HostArray<double, LayoutRight, 1> const vector("strata::test::x", Dynamic<1>(count));
  for (index_t j = 0; j < count; ++j)
    vector.write()(j) = whole(j, 5);
  return vector;
}

Numbers expected(index_t rows, index_t cols)
{
  Numbers y(static_cast<std::size_t>(rows));
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < cols; ++j)
      y[static_cast<std::size_t>(i)] += whole(i, j) * whole(j, 5);
  return y;
}

/// What kernels write: one column of sums per part, NaN before.
struct Parts
{
  HostArray<double, LayoutLeft, 2> sums;

  explicit Parts(Split const& split)
      : sums("strata::test::partial", Dynamic<2>(split.rows, split.parts()))
  {
    std::fill_n(sums.data(), sums.size(), NAN);
  }
  [[nodiscard]] Numbers added() const
  {
    Kokkos::fence();
    Numbers y(static_cast<std::size_t>(sums.extents().extent(0)));
    for (index_t p = 0; p < sums.extents().extent(1); ++p)
      for (std::size_t i = 0; i < y.size(); ++i)
        y[i] += sums.read()(static_cast<index_t>(i), p);
    return y;
  }
};

constexpr Shape shapes[] = {{1, 1}, {3, 5}, {5, 3}, {37, 65}, {8, 96}, {131, 1027}, {2100, 9}};

template <class A, class X>
void expect_along(A const& a, X const& x, Split const& split)
{
  Parts const parts(split);
  auto const out = parts.sums.write();
  using Out = std::remove_const_t<decltype(out)>;
  for_each_team<1, Host>(split.blocks() * split.parts(),
                         AlongRows<A, X, Out, 4, 8, 2>{a, x, out, split});
  EXPECT_EQ(parts.added(), expected(split.rows, split.cols)) << split.rows << " " << split.cols;
}

TEST(AlongRows, IsExactForAnyShapeAndNumberOfParts)
{
  for (auto const& [rows, cols] : shapes)
    for (index_t const part : {32, 64, 2048}) {
      HostArray<double, LayoutRight, 2> const right("strata::test::a", Dynamic<2>(rows, cols));
      set(right);
      auto const vector = vector_of_wholes(cols);
      expect_along(right.read(), vector.read(), Split{rows, cols, 4, part});
    }
}

TEST(AlongRows, TakesTheTransposeOfTheOtherOrder)
{
  for (auto const& [rows, cols] : shapes) {
    HostArray<double, LayoutLeft, 2> const left("strata::test::a", Dynamic<2>(cols, rows));
    auto const a = left.write();
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < cols; ++j)
        a(j, i) = whole(i, j);
    auto const vector = vector_of_wholes(cols);
    auto const read = left.read();
    expect_along(Transposed<std::remove_const_t<decltype(read)>>{read}, vector.read(),
                 Split{rows, cols, 4, cols});
  }
}

template <template <class, class, class, int, int> class Kernel, int Extra, class Layout>
void expect_across(index_t block)
{
  for (auto const& [rows, cols] : shapes)
    for (index_t const part : {32, 2048}) {
      HostArray<double, Layout, 2> const matrix("strata::test::a", Dynamic<2>(rows, cols));
      std::fill_n(matrix.data(), matrix.mapping().required_span_size(), 0.0);
      set(matrix);
      auto const vector = vector_of_wholes(cols);
      auto const a = matrix.read();
      auto const x = vector.read();
      Split const split{rows, cols, block, part};
      Parts const parts(split);
      auto const out = parts.sums.write();
      for_each_team<1, Host>(
          split.blocks() * split.parts(),
          Kernel<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(x)>,
                 std::remove_const_t<decltype(out)>, 8, Extra>{a, x, out, split});
      EXPECT_EQ(parts.added(), expected(rows, cols)) << rows << " " << cols;
    }
}

TEST(WalkColumns, IsExactForAnyShapeAndNumberOfParts)
{
  expect_across<WalkColumns, 4, LayoutLeft>(tuning::walk_most_rows);
  expect_across<WalkColumns, 4, LayoutLeft>(16);
}

TEST(WalkTile, IsExactForAnyShapeAndNumberOfParts)
{
  expect_across<WalkTile, 4, LayoutTiles>(32);
}

TEST(Split, GivesEveryWorkerAPartWhereThereAreFewRows)
{
  for (auto const& [rows, cols] : shapes)
    for (index_t const workers : {1, 2, 64, 100'000}) {
      auto const split = split_for(rows, cols, 4, workers);
      EXPECT_LE(split.parts(), most_parts_of(cols));
      EXPECT_EQ(split.end_col(split.parts() - 1), cols);
      EXPECT_EQ(split.end_row(split.blocks() - 1), rows);
      auto const walk = walk_split(rows, cols, false, workers);
      EXPECT_LE(walk.block_rows, tuning::walk_most_rows);
      EXPECT_EQ(walk.end_row(walk.blocks() - 1), rows);
    }
}

TEST(SymmetricRows, IsExactForAnyOrderAndNumberOfParts)
{
  for (index_t const order : {1, 2, 3, 9, 37, 130})
    for (index_t const parts : {1, 2, 3, 7})
      for (index_t const first : {index_t{0}, order / 3}) {
        LayoutSymmetric<>::mapping<Dynamic<2>> const mapping(Dynamic<2>(order, order));
        index_t const base = mapping(first, index_t{0});
        auto const stored = vector_of_wholes(mapping.required_span_size() - base);
        auto const vector = vector_of_wholes(order);
        Span<double const, Dynamic<1>, LayoutRight, AccessReadOnly> const values(
            stored.data(), stored.mapping()); // a host's, for a kernel that the test calls
        PackedRows<double const> const matrix{values, mapping, first, order};
        Numbers right(static_cast<std::size_t>(order));
        for (index_t i = first; i < order; ++i)
          for (index_t j = 0; j <= i; ++j) {
            double const a = stored.read()(mapping(i, j) - base);
            right[static_cast<std::size_t>(i)] += a * whole(j, 5);
            if (i != j)
              right[static_cast<std::size_t>(j)] += a * whole(i, 5);
          }
        Parts const sums(Split{order, parts, 1, 1});
        auto const out = sums.sums.write();
        auto const x = vector.read();
        for_each_team<1, Host>(
            parts, SymmetricRows<PackedRows<double const>, std::remove_const_t<decltype(x)>,
                                 std::remove_const_t<decltype(out)>, 8, 4>{matrix, x, out});
        EXPECT_EQ(sums.added(), right) << order << " in " << parts << " from " << first;
      }
}

TEST(TriangleTiles, AreNumberedRowAfterRow)
{
  using Tiles = TriangleTiles<16, 4>;
  index_t tile = 0;
  for (index_t row = 0; row < 40; ++row) {
    EXPECT_EQ(Tiles::before(row), tile);
    for (index_t col = 0; col <= row / 4; ++col, ++tile) {
      auto const found = Tiles::numbered(tile);
      ASSERT_EQ(found.row, 16 * row) << tile;
      ASSERT_EQ(found.col, 64 * col) << tile;
    }
  }
}

/// y of the rows [first, end) of a packed symmetric matrix and what they give to others.
void expect_symmetric(index_t first, index_t end)
{
  using Packed = PackedRows<double const>;
  Packed::Mapping const mapping(Dynamic<2>(end, end));
  Numbers stored;
  for (index_t i = first; i < end; ++i)
    for (index_t j = 0; j <= i; ++j)
      stored.push_back(whole(i, j));
  Numbers wanted(static_cast<std::size_t>(end));
  auto const x = vector_of_wholes(end);
  for (index_t i = first; i < end; ++i)
    for (index_t j = 0; j <= i; ++j) {
      wanted[static_cast<std::size_t>(i)] += whole(i, j) * whole(j, 5);
      if (j < i)
        wanted[static_cast<std::size_t>(j)] += whole(i, j) * whole(i, 5);
    }
  Numbers y(static_cast<std::size_t>(end));
  using Input = Span<double const, Dynamic<1>, LayoutRight, AccessReadOnly>;
  using Output = Span<double, Dynamic<1>, LayoutRight, AccessAtomic>;
  constexpr int members = 64;
  using Kernel = SymmetricTiles<Packed, Input, Output, 8, members, 8>;
  Dynamic<1> const all(end);
  Kernel const kernel({Packed::Stored(stored.data(), Packed::Stored::mapping_type(Dynamic<1>(
                                                         static_cast<index_t>(stored.size())))),
                       mapping, first, end},
                      Input(x.data(), Input::mapping_type(all)),
                      Output(y.data(), Output::mapping_type(all)));
  testing::run_on_threads<members>(kernel.teams(), kernel, Kernel::scratch_bytes);
  EXPECT_EQ(y, wanted) << first << " to " << end;
}

TEST(SymmetricTiles, AreExactForAnyRows)
{
  expect_symmetric(0, 1);
  expect_symmetric(0, 160);
  expect_symmetric(0, 155);
  expect_symmetric(37, 141);
  expect_symmetric(70, 70);
}

template <class Layout, bool Trans>
void expect_row_work()
{
  index_t const rows = 13;
  index_t const cols = 7;
  HostArray<Real, Layout, 2> const matrix("strata::test::a", Dynamic<2>(rows, cols));
  HostArray<Real, LayoutRight, 1> const input("strata::test::x",
                                              Dynamic<1>(Trans ? rows : cols));
  HostArray<Real, LayoutRight, 1> const output("strata::test::y",
                                               Dynamic<1>(Trans ? cols : rows));
  set(matrix);
  for (index_t i = 0; i < input.size(); ++i)
    input.write()(i) = whole(i, 1);
  auto const a = matrix.template read<AccessTouched>();
  using A = std::remove_const_t<decltype(a)>;
  auto const x = input.template read<AccessTouched>();
  auto const y = output.template write<AccessTouched>();
  auto const measured = [&](auto const& factor) {
    RowDot<std::remove_cvref_t<decltype(factor)>, std::remove_const_t<decltype(x)>,
           std::remove_const_t<decltype(y)>> const kernel{factor, x, y};
    Operations::restart();
    Touches::restart();
    for_each<Host>(y.extent(0), kernel);
    Kokkos::fence();
  };
  if constexpr (Trans)
    measured(Transposed<A>{a});
  else
    measured(a);
  EXPECT_EQ(Operations::all(), 2 * rows * cols);
  EXPECT_EQ(Touches::bytes_read(), (rows * cols + input.size()) * 8);
  EXPECT_EQ(Touches::bytes_written(), output.size() * 8);
}

TEST(MatvecWork, OfRowDotReadsEveryElementOnceAndMakesTwoOperations)
{
  expect_row_work<LayoutRight, false>();
  expect_row_work<LayoutLeft, false>();
  expect_row_work<LayoutTiles, true>();
}

} // namespace

} // namespace strata::matvec
