#pragma once

#include "split.hpp"
#include "tuning.hpp"

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"

#include <type_traits>

namespace strata::matvec {

// A host's partial sums over the columns of one part where columns are contiguous:
// partial(row, part).

/// A thread keeps the sums of a block of rows in its first-level cache and
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
    index_t const begin = part * split.part_cols;
    index_t const end = split.end_col(part);
    index_t const groups = (end - begin) / C;
    // Whole columns are one stretch of memory, of which a core reads C places at once: more
    // streams for its prefetcher. Pieces of columns are C streams side by side.
    if (count == split.rows)
      for (index_t g = 0; g < groups; ++g)
        add<C>(sums, first, count, begin + g, groups);
    else
      for (index_t g = 0; g < groups; ++g)
        add<C>(sums, first, count, begin + g * C, Number<1>());
    for (index_t col = begin + groups * C; col < end; ++col)
      add<1>(sums, first, count, col, Number<1>());
    for (index_t i = 0; i < count; ++i)
      partial(first + i, part) = sums[i];
  }

private:
  using T = std::remove_const_t<typename Output::value_type>;
  using V = Pack<T, W>;

  /// sums(i) += the products of N columns, `apart` columns apart; where that is a constant, one
  /// register has the addresses of all.
  template <int N, class Apart>
  KOKKOS_FUNCTION void add(T* sums, index_t first, index_t count, index_t col,
                           Apart apart) const
  {
    V factor[N];
    unrolled<N>([&](auto n) { factor[n] = V(x(col + n * apart)); });
    index_t i = 0;
    for (; i + W <= count; i += W) {
      V sum = detail::load_pack<W>(sums + i);
      unrolled<N>([&](auto n) {
        sum += factor[n] * static_cast<V>(A(PackIndex<W>{first + i}, col + n * apart));
      });
      detail::store_pack(sums + i, sum);
    }
    for (; i < count; ++i)
      for (int n = 0; n < N; ++n)
        sums[i] += x(col + n * apart) * A(first + i, col + n * apart);
  }
};

/// For a matrix in tiles of P packs of W rows: the sums of a tile stay in registers over all
/// its columns, which are contiguous in memory.
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
  using Access = typename Matrix::accessor_type;

  KOKKOS_FUNCTION void add(V (&sum)[P], index_t first, index_t col) const
  {
    V const factor(x(col));
    // The padding of the last tile is read, too, and its sums are not stored. No index of a
    // checked span names it; other builds are faster by indices than by addresses.
    unrolled<P>([&](auto p) {
      if constexpr (bounds_checked)
        sum[p] +=
            widened(Access::template load<W>(
                A.data_handle(), static_cast<std::size_t>(A.mapping()(first, col)) + p * W)) *
            factor;
      else
        sum[p] += static_cast<V>(A(PackIndex<W>{first + p * W}, col)) * factor;
    });
  }
};

} // namespace strata::matvec
