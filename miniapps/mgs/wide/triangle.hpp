#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"
#include "tiles/tiles.hpp"

namespace strata::mgs {

/// Greatest number of columns that are processed at once: their products fill the registers of
/// a multiprocessor.
inline constexpr index_t most_wide_columns = 208;
/// Whether `cholesky2` processes so many columns at once: on NVIDIA GPUs of which a block has
/// 227 KiB of shared memory. Known without a device, as cases are listed without one.
constexpr bool is_wide(index_t columns)
{
#if defined(KOKKOS_ARCH_HOPPER90) || defined(KOKKOS_ARCH_BLACKWELL100)
  return device_is_cuda && columns > most_tile_columns && columns <= most_wide_columns;
#else
  static_cast<void>(columns);
  return false;
#endif
}

/// The upper triangle of a square matrix, in blocks of 16 × 16, of which each lies in rows: a
/// strip of 16 columns has a block from each strip up to itself. Blocks of one strip of rows
/// follow each other.
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
