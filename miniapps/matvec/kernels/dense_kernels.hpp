#pragma once

#include "tuning.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/unroll.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"

#include <tuple>
#include <type_traits>

namespace strata::matvec {

/// Aᵀ as a view of A with its indices exchanged. Aᵀ x with LayoutRight therefore runs as A x
/// with LayoutLeft.
template <class Matrix>
struct Transposed
{
  using value_type = typename Matrix::value_type;
  Matrix matrix;

  template <class I, class J>
  KOKKOS_FUNCTION decltype(auto) operator()(I i, J j) const
  {
    return matrix(j, i);
  }
  KOKKOS_FUNCTION index_t extent(std::size_t r) const { return matrix.extent(1 - r); }
  KOKKOS_FUNCTION index_t size() const { return matrix.size(); }
};

/// y = A x, one work item per row: the loop that S2 measured. Storage order and access rule are
/// in the types.
template <class Matrix, class Input, class Output>
struct RowDot
{
  static constexpr char const* name() { return "strata::matvec::RowDot"; }
  Matrix A;
  Input x;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    using T = std::remove_const_t<typename Output::value_type>;
    T sum{};
    for (index_t col = 0; col < static_cast<index_t>(A.extent(1)); ++col)
      sum += A(row, col) * x(col);
    y(row) = sum;
  }
  [[nodiscard]] index_t flops() const { return 2 * static_cast<index_t>(A.size()); }
  [[nodiscard]] auto reads() const { return std::tuple(A, x); }
  [[nodiscard]] auto writes() const { return std::tuple(y); }
};

/// The division of a matrix over work items: blocks of rows times parts of the columns,
/// numbered block by block. Each of several parts has partial sums, which SumParts adds.
struct Split
{
  index_t rows = 0;
  index_t cols = 0;
  index_t block_rows = 1;
  index_t part_cols = 1;

  [[nodiscard]] KOKKOS_FUNCTION index_t blocks() const
  {
    return (rows + block_rows - 1) / block_rows;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t parts() const
  {
    return cols > 0 ? (cols + part_cols - 1) / part_cols : 1;
  }
  KOKKOS_FUNCTION index_t end_row(index_t block) const
  {
    index_t const end = (block + 1) * block_rows;
    return end < rows ? end : rows;
  }
  KOKKOS_FUNCTION index_t end_col(index_t part) const
  {
    index_t const end = (part + 1) * part_cols;
    return end < cols ? end : cols;
  }
};

/// Partial sums over the columns of one part, for a block of at most R rows, by one team. Rows
/// are contiguous (W > 1) or not (W = 1). R·U independent packs are loaded at a time; R rows
/// share the packs of x. partial(part, row).
template <class Matrix, class Input, class Output, int R, int W, int U>
struct AlongRows
{
  static constexpr char const* name() { return "strata::matvec::AlongRows"; }
  static constexpr unsigned teams_at_once = 4;
  Matrix A;
  Input x;
  Output partial;
  Split split;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const block = team.index() / split.parts();
    index_t const part = team.index() % split.parts();
    index_t const first = block * R;
    if (first + R <= split.rows)
      rows<R>(team, first, part);
    else
      for (index_t row = first; row < split.rows; ++row)
        rows<1>(team, row, part);
  }

private:
  using T = std::remove_const_t<typename Output::value_type>;
  using V = std::conditional_t<(W > 1), Pack<T, (W > 1 ? W : 2)>, T>;
  static KOKKOS_FUNCTION auto at(index_t col)
  {
    if constexpr (W > 1)
      return PackIndex<W>{col};
    else
      return col;
  }

  template <int N, class Team>
  KOKKOS_FUNCTION void rows(Team const& team, index_t first, index_t part) const
  {
    index_t const begin = part * split.part_cols;
    index_t const end = split.end_col(part);
    index_t const step = static_cast<index_t>(Team::size) * W;
    V sum[N];
    unrolled<N>([&](auto n) { sum[n] = V(T{}); });
    index_t col = begin + team.rank() * static_cast<index_t>(W);
    add<U, N>(sum, first, col, step, end);
    T total[N];
    unrolled<N>([&](auto n) { total[n] = lane_sum(sum[n]); });
    index_t const whole = begin + (end - begin) / W * W;
    for (col = whole + team.rank(); col < end; col += Team::size)
      for (int n = 0; n < N; ++n)
        total[n] += A(first + n, col) * x(col);
    team.sum(total);
    if (team.rank() == 0)
      unrolled<N>([&](auto n) { partial(first + n, part) = total[n]; });
  }
  /// Adds the packs of each row from `col` on, Count at a time while there are so many, then
  /// with half that Count. All loads come first.
  template <int Count, int N>
  KOKKOS_FUNCTION void add(V (&sum)[N], index_t first, index_t col, index_t step,
                           index_t end) const
  {
    for (; col + (Count - 1) * step + W <= end; col += Count * step) {
      V a[Count][N];
      unrolled<Count>([&](auto u) {
        unrolled<N>([&](auto n) { a[u][n] = A(first + n, at(col + u * step)); });
      });
      unrolled<Count>([&](auto u) {
        V const factor = x(at(col + u * step));
        unrolled<N>([&](auto n) { sum[n] += a[u][n] * factor; });
      });
    }
    if constexpr (Count > 1)
      add<Count / 2, N>(sum, first, col, step, end);
  }
};

/// The same for contiguous columns on a GPU: a work item adds the columns of one part for a
/// pack of W neighbouring rows, C independent packs at a time.
template <class Matrix, class Input, class Output, int W, int C>
struct AcrossRows
{
  static constexpr char const* name() { return "strata::matvec::AcrossRows"; }
  Matrix A;
  Input x;
  Output partial;
  Split split; ///< blocks of W rows

  KOKKOS_FUNCTION void operator()(index_t block, index_t part) const
  {
    index_t const first = block * W;
    if constexpr (W > 1)
      if (first + W <= split.rows) {
        rows(PackIndex<W>{first}, part);
        return;
      }
    for (index_t row = first; row < split.rows && row < first + W; ++row)
      rows(row, part);
  }

private:
  using T = std::remove_const_t<typename Output::value_type>;

  template <class I>
  KOKKOS_FUNCTION void rows(I row, index_t part) const
  {
    using V = std::remove_cvref_t<decltype(A(row, 0))>;
    index_t const end = split.end_col(part);
    index_t col = part * split.part_cols;
    V sum = V(T{});
    for (; col + C <= end; col += C) {
      V column[C];
      unrolled<C>([&](auto c) { column[c] = A(row, col + c); });
      unrolled<C>([&](auto c) { sum += column[c] * V(x(col + c)); });
    }
    for (; col < end; ++col)
      sum += A(row, col) * V(x(col));
    partial(row, part) = sum;
  }
};

/// The same on a host: a thread keeps the sums of a block of rows in its first-level cache and
/// adds C columns at a time, so that it reads long pieces of columns.
template <class Matrix, class Input, class Output, int W, int C>
struct WalkColumns
{
  static constexpr char const* name() { return "strata::matvec::WalkColumns"; }
  Matrix A;
  Input x;
  Output partial;
  Split split; ///< blocks of at most tuning::walk_most_rows rows

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const block = team.index() / split.parts();
    index_t const part = team.index() % split.parts();
    index_t const first = block * split.block_rows;
    index_t const count = split.end_row(block) - first;
    alignas(64) T sums[tuning::walk_most_rows];
    for (index_t i = 0; i < count; ++i)
      sums[i] = T{};
    index_t const end = split.end_col(part);
    index_t col = part * split.part_cols;
    for (; col + C <= end; col += C)
      add<C>(sums, first, count, col);
    for (; col < end; ++col)
      add<1>(sums, first, count, col);
    for (index_t i = 0; i < count; ++i)
      partial(first + i, part) = sums[i];
  }

private:
  using T = std::remove_const_t<typename Output::value_type>;
  using V = Pack<T, W>;

  template <int N>
  KOKKOS_FUNCTION void add(T* sums, index_t first, index_t count, index_t col) const
  {
    V factor[N];
    unrolled<N>([&](auto n) { factor[n] = V(x(col + n)); });
    index_t i = 0;
    for (; i + W <= count; i += W) {
      V sum = detail::load_pack<W>(sums + i);
      unrolled<N>([&](auto n) {
        sum += factor[n] * static_cast<V>(A(PackIndex<W>{first + i}, col + n));
      });
      detail::store_pack(sums + i, sum);
    }
    for (; i < count; ++i)
      for (int n = 0; n < N; ++n)
        sums[i] += x(col + n) * A(first + i, col + n);
  }
};

/// The same on a host for a matrix in tiles of P packs of W rows: the sums of a tile stay in
/// registers over all its columns, which are contiguous in memory.
template <class Matrix, class Input, class Output, int W, int P>
struct WalkTile
{
  static constexpr char const* name() { return "strata::matvec::WalkTile"; }
  Matrix A;
  Input x;
  Output partial;
  Split split; ///< blocks of one tile

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const first = team.index() / split.parts() * split.block_rows;
    index_t const part = team.index() % split.parts();
    index_t const end = split.end_col(part);
    index_t col = part * split.part_cols;
    V sum[2][P]; // of even and of odd columns: enough independent chains
    unrolled<P>([&](auto p) { sum[0][p] = sum[1][p] = V(T{}); });
    for (; col + 2 <= end; col += 2)
      unrolled<2>([&](auto n) { add(sum[n], first, col + n); });
    if (col < end)
      add(sum[0], first, col);
    T total[P * W];
    unrolled<P>([&](auto p) { detail::store_pack(total + p * W, sum[0][p] + sum[1][p]); });
    for (index_t i = 0; i < P * W && first + i < split.rows; ++i)
      partial(first + i, part) = total[i]; // without the padding of the last tile
  }

private:
  using T = std::remove_const_t<typename Output::value_type>;
  using V = Pack<T, W>;

  KOKKOS_FUNCTION void add(V (&sum)[P], index_t first, index_t col) const
  {
    V const factor(x(col));
    // The padding of the last tile may be read; its sums are not stored.
    unrolled<P>([&](auto p) {
      sum[p] += static_cast<V>(A(PackIndex<W>{first + p * W}, col)) * factor;
    });
  }
};

/// y(i) = Σ over the parts of partial(i, part), by eight independent sums, which hide the
/// latency of the loads.
template <class Partial, class Output>
struct SumParts
{
  static constexpr char const* name() { return "strata::matvec::SumParts"; }
  Partial partial;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    using T = std::remove_const_t<typename Output::value_type>;
    constexpr int chains = 8;
    T sum[chains] = {};
    index_t part = 0;
    for (; part + chains <= partial.extent(1); part += chains)
      unrolled<chains>([&](auto c) { sum[c] += partial(row, part + c); });
    for (; part < partial.extent(1); ++part)
      sum[0] += partial(row, part);
    T total{};
    unrolled<chains>([&](auto c) { total += sum[c]; });
    y(row) = total;
  }
};

} // namespace strata::matvec
