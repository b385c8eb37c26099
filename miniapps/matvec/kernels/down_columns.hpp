#pragma once

#include "split.hpp"
#include "tuning.hpp"

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"

#include <type_traits>

namespace strata::matvec {

// Partial sums over the columns of one part where columns are contiguous: partial(row, part).

/// On a GPU: a work item adds the columns of one part for a pack of W neighbouring rows, C
/// independent packs at a time.
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

/// On a host: a thread keeps the sums of a block of rows in its first-level cache and
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

/// On a host, for a matrix in tiles of P packs of W rows: the sums of a tile stay in
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

} // namespace strata::matvec
