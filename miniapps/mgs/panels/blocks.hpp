#pragma once

#include "panels.hpp"

#include "base/kokkos.hpp"

// Ranges of columns in blocks of panel_width, the last of which may be narrower.

namespace strata::mgs {

KOKKOS_FUNCTION constexpr index_t blocks_of(ColumnRange const& range)
{
  return (range.count + panel_width - 1) / panel_width;
}
/// Block number n of a range.
KOKKOS_FUNCTION constexpr ColumnRange block_of(ColumnRange const& range, index_t n)
{
  index_t const before = n * panel_width;
  index_t const left = range.count - before;
  return {range.first + before, left < panel_width ? left : panel_width};
}

/// A panel, `left`, and a range of columns, and where the products of both lie in memory: for
/// each block of right columns panel_width × panel_width values in rows; 0 past a range's end.
struct PanelPair
{
  ColumnRange left;
  ColumnRange right;

  [[nodiscard]] KOKKOS_FUNCTION constexpr index_t blocks() const { return blocks_of(right); }
  /// Number of values.
  [[nodiscard]] KOKKOS_FUNCTION constexpr index_t count() const
  {
    return blocks() * panel_width * panel_width;
  }
  /// The right columns of block number n.
  [[nodiscard]] KOKKOS_FUNCTION constexpr ColumnRange right_of(index_t n) const
  {
    return block_of(right, n);
  }
  /// Place of the product of left column l and right column r, counted from those ranges'
  /// first.
  [[nodiscard]] KOKKOS_FUNCTION static constexpr index_t at(index_t l, index_t r)
  {
    return (r / panel_width * panel_width + l) * panel_width + r % panel_width;
  }
};

} // namespace strata::mgs
