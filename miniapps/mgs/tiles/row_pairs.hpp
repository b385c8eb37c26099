#pragma once

#include "copy_rows.hpp"
#include "tiles.hpp"

#include "array/access/pack.hpp"
#include "base/kokkos.hpp"

#include <type_traits>

namespace strata::mgs {

/// Columns of a tile of Rows rows, 16 or 32, as the tensor cores of a GPU take them: by pairs
/// of rows, which are one access where rows are together. What lies outside of the columns or
/// rows is 0, and is not written; a Whole tile has all rows and all columns that are asked for,
/// and no branch between its accesses. A's columns begin at even elements of memory that is
/// aligned to 16 bytes.
template <class A, int Rows, bool Whole>
class RowPairs
{
public:
  using Pair = Pack<double, 2>;
  static constexpr int rows = Rows;

  /// The tile that begins at row `first`.
  KOKKOS_FUNCTION RowPairs(A const& a, index_t row_count, ColumnRange const& columns,
                           index_t first)
      : first_(&a(first, columns.first))
      , step_(columns.count > 1 ? &a(first, columns.first + 1) - first_ : 0)
      , columns_(static_cast<int>(columns.count))
      , rows_(static_cast<int>(row_count - first < rows ? row_count - first : rows))
  {
    if constexpr (!rows_are_together<A>)
      across_ = rows_ > 1 ? &a(first + 1, columns.first) - first_ : 0;
  }

  /// Rows `row` and `row` + 1, of which the first is even.
  [[nodiscard]] KOKKOS_FUNCTION Pair read(int row, int column) const
  {
    if constexpr (Whole && rows_are_together<A>)
      return *reinterpret_cast<Pair const*>(at(row, column));
    Pair pair;
    pair.lane[0] = element(row, column);
    pair.lane[1] = element(row + 1, column);
    return pair;
  }
  KOKKOS_FUNCTION void write(int row, int column, double low, double high) const
  {
    if constexpr (Whole && rows_are_together<A>) {
      Pair pair;
      pair.lane[0] = low;
      pair.lane[1] = high;
      *reinterpret_cast<Pair*>(at(row, column)) = pair;
      return;
    }
    if (has(row, column))
      *at(row, column) = low;
    if (has(row + 1, column))
      *at(row + 1, column) = high;
  }
  [[nodiscard]] KOKKOS_FUNCTION double element(int row, int column) const
  {
    return has(row, column) ? *at(row, column) : 0.0;
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION double* at(int row, int column) const
  {
    return first_ + column * step_ + (rows_are_together<A> ? row : row * across_);
  }
  [[nodiscard]] KOKKOS_FUNCTION bool has(int row, int column) const
  {
    return Whole || (row < rows_ && column < columns_);
  }

  double* first_;
  index_t step_;       ///< from column to column
  index_t across_ = 1; ///< from row to row
  int columns_;
  int rows_;
};

/// Calls f with `whole` as a constant.
template <class F>
KOKKOS_FUNCTION void with_wholeness(bool whole, F const& f)
{
  if (whole)
    f(std::true_type());
  else
    f(std::false_type());
}

} // namespace strata::mgs
