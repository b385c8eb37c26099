#pragma once

#include "tuning.hpp"

#include "array/layout_symmetric.hpp"
#include "array/team.hpp"
#include "array/unroll.hpp"

#include <cmath>
#include <type_traits>

namespace strata::matvec {

/// The rows from `first` on of a packed lower triangle, indexed as the whole matrix is.
template <class T>
struct PackedRows
{
  using value_type = std::remove_const_t<T>;
  using Stored = Span<T, Dynamic<1>, LayoutRight, AccessReadOnly>;
  using Mapping = LayoutSymmetric<>::mapping<Dynamic<2>>;
  Stored stored; ///< this rank's elements
  Mapping mapping;
  index_t first = 0;
  index_t end = 0;

  KOKKOS_FUNCTION decltype(auto) operator()(index_t i, index_t j) const
  {
    return stored(mapping(i, j) - mapping(first, index_t{0}));
  }
  /// Neighbours of one row, all left of the diagonal.
  template <int W>
  KOKKOS_FUNCTION decltype(auto) operator()(index_t i, PackIndex<W> j) const
  {
    return stored(PackIndex<W>{begin(i) + j.first});
  }
  /// Where a row begins in `stored`.
  [[nodiscard]] KOKKOS_FUNCTION index_t begin(index_t i) const
  {
    return mapping(i, index_t{0}) - mapping(first, index_t{0});
  }
};

/// Row where `part` of `parts` equal areas of the rows [first, end) of a triangle begins.
KOKKOS_FUNCTION inline index_t equal_area(index_t first, index_t end, index_t part,
                                          index_t parts)
{
  if (part >= parts)
    return end;
  double const from = static_cast<double>(first) * static_cast<double>(first);
  double const to = static_cast<double>(end) * static_cast<double>(end);
  auto const row = static_cast<index_t>(
      std::sqrt(from + (to - from) * static_cast<double>(part) / static_cast<double>(parts)));
  return row < first ? first : row > end ? end : row;
}

/// Host: each thread takes rows of equal area and leaves sums of its own, partial(i, part):
/// every stored element is loaded once and used for both of its places. R rows at a time share
/// the loads of x and of the sums.
template <class Matrix, class Input, class Partial, int W, int R>
struct SymmetricRows
{
  static constexpr char const* name() { return "strata::matvec::SymmetricRows"; }
  Matrix A;
  Input x;
  Partial partial;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const part = team.index();
    index_t const parts = partial.extent(1);
    index_t const end = equal_area(A.first, A.end, part + 1, parts);
    for (index_t i = 0; i < partial.extent(0); ++i)
      partial(i, part) = 0;
    index_t row = equal_area(A.first, A.end, part, parts);
    for (; row + R <= end; row += R)
      rows<R>(row, part);
    for (; row < end; ++row)
      rows<1>(row, part);
  }

private:
  using T = typename Matrix::value_type;
  using V = Pack<T, W>;

  template <int N>
  KOKKOS_FUNCTION void rows(index_t first, index_t part) const
  {
    V sum[N];
    V factor[N];
    index_t row[N];
    unrolled<N>([&](auto n) {
      row[n] = A.begin(first + n);
      sum[n] = V(T{});
      factor[n] = V(x(first + n));
    });
    index_t j = 0;
    for (; j + W <= first; j += W) {
      V const input = x(PackIndex<W>{j});
      V mirrored = partial(PackIndex<W>{j}, part);
      unrolled<N>([&](auto n) {
        V const a = A.stored(PackIndex<W>{row[n] + j});
        sum[n] += a * input;
        mirrored += a * factor[n];
      });
      partial(PackIndex<W>{j}, part) = mirrored;
    }
    unrolled<N>([&](auto n) { end_row(first + n, j, lane_sum(sum[n]), part); });
  }
  /// The elements of row i from column `begin` to the diagonal, one by one.
  KOKKOS_FUNCTION void end_row(index_t i, index_t begin, T sum, index_t part) const
  {
    T const factor = x(i);
    for (index_t k = begin; k < i; ++k) {
      T const a = A(i, k);
      sum += a * x(k);
      partial(k, part) += a * factor;
    }
    partial(i, part) += sum + A(i, i) * factor;
  }
};

/// GPU: a team takes R rows, the longest first, and walks their columns: what the columns give
/// to the rows stays in registers, what the R rows give to a column is added to y at once.
/// Sums are added atomically to y, which starts at zero: their order, and so the last digits,
/// vary from run to run.
template <class Matrix, class Input, class Output, int R>
struct SymmetricBlocks
{
  static constexpr char const* name() { return "strata::matvec::SymmetricBlocks"; }
  Matrix A;
  Input x;
  Output y; ///< atomic

  [[nodiscard]] KOKKOS_FUNCTION index_t blocks() const { return (A.end - A.first + R - 1) / R; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const first = A.first + (blocks() - 1 - team.index()) * R;
    if (first + R <= A.end)
      rows<R>(team, first);
    else
      for (index_t row = first; row < A.end; ++row)
        rows<1>(team, row);
  }

private:
  using T = typename Matrix::value_type;

  template <int N, class Team>
  KOKKOS_FUNCTION void rows(Team const& team, index_t first) const
  {
    index_t const begin = A.begin(first);
    // Each row is one longer than the row before it.
    auto const place = [&](index_t r, index_t col) {
      return begin + r * first + r * (r + 1) / 2 + col;
    };
    T factor[N];
    T sum[N];
    unrolled<N>([&](auto r) {
      factor[r] = x(first + r);
      sum[r] = T{};
    });
    for (index_t col = team.rank(); col < first; col += Team::size) {
      T a[N];
      unrolled<N>([&](auto r) { a[r] = A.stored(place(r, col)); });
      T const input = x(col);
      T mirrored{};
      unrolled<N>([&](auto r) {
        sum[r] += a[r] * input;
        mirrored += a[r] * factor[r];
      });
      y(col) += mirrored;
    }
    // The columns that end among the rows themselves, one a member.
    if (index_t const own = team.rank(); own < N)
      unrolled<N>([&](auto r) {
        if (own <= r) {
          T const a = A.stored(place(r, first + own));
          sum[r] += a * x(first + own);
          if (own < r)
            y(first + own) += a * factor[r];
        }
      });
    team.sum(sum);
    if (team.rank() == 0)
      unrolled<N>([&](auto r) { y(first + r) += sum[r]; });
  }
};

} // namespace strata::matvec
