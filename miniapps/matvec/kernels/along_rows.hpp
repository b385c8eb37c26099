#pragma once

#include "split.hpp"

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"

#include <type_traits>

namespace strata::matvec {

/// Partial sums over the columns of one part, for a block of rows, by one team: partial(row,
/// part). W > 1 needs rows that are contiguous. R·U sums of packs are independent; R rows share
/// the packs of x. They lie block_rows / R apart, so that where rows are short a host's core
/// reads R places at once. Each pack is multiplied as it is loaded, which is one instruction on
/// a host: the fewer there are, the further ahead of the memory a core runs.
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
    index_t const first = block * split.block_rows;
    index_t const apart = split.block_rows / R;
    if (first + split.block_rows <= split.rows)
      for (index_t row = first; row < first + apart; ++row)
        rows<R>(team, row, apart, part);
    else
      for (index_t row = first; row < split.rows; ++row)
        rows<1>(team, row, 1, part);
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
  KOKKOS_FUNCTION void rows(Team const& team, index_t first, index_t apart, index_t part) const
  {
    index_t const begin = part * split.part_cols;
    index_t const end = split.end_col(part);
    index_t const step = static_cast<index_t>(Team::size) * W;
    V sum[U][N];
    unrolled<U>([&](auto u) { unrolled<N>([&](auto n) { sum[u][n] = V(T{}); }); });
    add<U>(sum, first, apart, begin + team.rank() * static_cast<index_t>(W), step, end);
    unrolled<U - 1>([&](auto u) { unrolled<N>([&](auto n) { sum[0][n] += sum[u + 1][n]; }); });
    T total[N];
    unrolled<N>([&](auto n) { total[n] = lane_sum(sum[0][n]); });
    index_t const whole = begin + (end - begin) / W * W;
    for (index_t col = whole + team.rank(); col < end; col += Team::size)
      for (int n = 0; n < N; ++n)
        total[n] += A(first + n * apart, col) * x(col);
    team.sum(total);
    if (team.rank() == 0)
      unrolled<N>([&](auto n) { partial(first + n * apart, part) = total[n]; });
  }
  /// Adds the packs of each row from `col` on, Count at a time while there are so many, then
  /// with half that Count. Inlined, so that the sums stay in registers.
  template <int Count, int N>
  KOKKOS_FORCEINLINE_FUNCTION void add(V (&sum)[U][N], index_t first, index_t apart,
                                       index_t col, index_t step, index_t end) const
  {
    for (; col + (Count - 1) * step + W <= end; col += Count * step)
      unrolled<Count>([&](auto u) {
        V const factor = x(at(col + u * step));
        unrolled<N>(
            [&](auto n) { sum[u][n] += V(A(first + n * apart, at(col + u * step))) * factor; });
      });
    if constexpr (Count > 1)
      add<Count / 2>(sum, first, apart, col, step, end);
  }
};

} // namespace strata::matvec
