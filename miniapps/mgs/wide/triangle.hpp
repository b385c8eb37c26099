#pragma once

#include "wide.hpp"

#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::mgs {

/// Blocks of 16 × 16 on and above the diagonal of a square matrix, each stored by rows. Those
/// of one strip of 16 rows follow each other, from the diagonal to the right.
struct Triangle
{
  static constexpr int width = 16;
  static constexpr int block_size = width * width;
  static constexpr int most_strips = static_cast<int>(most_wide_columns) / width;

  int strips;

  KOKKOS_FUNCTION static constexpr Triangle of(index_t columns)
  {
    return {static_cast<int>((columns + width - 1) / width)};
  }
  /// All columns, with those that pad the last strip.
  [[nodiscard]] KOKKOS_FUNCTION constexpr int columns() const { return strips * width; }
  [[nodiscard]] KOKKOS_FUNCTION constexpr int blocks() const
  {
    return strips * (strips + 1) / 2;
  }
  /// Number of values.
  [[nodiscard]] KOKKOS_FUNCTION constexpr int size() const { return blocks() * block_size; }
  /// Number of the block of rows of strip `down` and columns of strip `across`.
  [[nodiscard]] KOKKOS_FUNCTION constexpr int block(int down, int across) const
  {
    return down * strips - down * (down - 1) / 2 + across - down;
  }
  /// Place of an element, of which the column's strip is not before the row's.
  [[nodiscard]] KOKKOS_FUNCTION constexpr int at(int row, int column) const
  {
    return block(row / width, column / width) * block_size + row % width * width +
           column % width;
  }
};

} // namespace strata::mgs
