#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// Algorithms that process tiles of rows, with all columns at a time, in cache or scratch
// memory.

namespace strata::mgs {

/// Greatest number of columns of a tile.
inline constexpr index_t most_tile_columns = 32;

struct ColumnRange
{
  index_t first = 0;
  index_t count = 0;
};

/// One pass over the rows. `rest` follows `panel` without a gap.
struct TilePass
{
  ColumnRange panel;
  ColumnRange rest;
  bool divides = false; ///< panel = panel·U⁻¹ with the U found last
  bool updates = false; ///< then rest -= panel·C with the C found last
  ColumnRange left;     ///< then products of these columns of panel and rest ...
  ColumnRange right;    ///< ... with these, which begin with `left`; over all ranks
  bool repeats = false; ///< only where the panel's first factor needed a shift

  // Of the tile: the number of its columns; that of the changed ones, which come first; and the
  // multivector's number of its first column.
  [[nodiscard]] KOKKOS_FUNCTION index_t columns() const { return panel.count + rest.count; }
  [[nodiscard]] KOKKOS_FUNCTION index_t changed() const
  {
    if (updates)
      return columns();
    return divides ? panel.count : 0;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t first() const
  {
    return panel.count > 0 ? panel.first : rest.first;
  }
};

/// What follows a pass with products: Cholesky's U of left × left (of a shifted matrix where it
/// fails), C = U⁻ᵀ·(left × the rest of right).
struct TileFactor
{
  ColumnRange panel;
  ColumnRange rest;
  bool first = false;   ///< of this panel: R's block = U, later U times R's block
  bool repeats = false; ///< see TilePass
};

class ByTiles
{
public:
  ByTiles() = default;
  ByTiles(ByTiles const&) = delete;
  ByTiles& operator=(ByTiles const&) = delete;
  virtual ~ByTiles() = default;

  virtual void pass(TilePass const& pass) = 0;
  virtual void factor(TileFactor const& factor) = 0;
};

/// CholeskyQR, applied twice, or three times where the first factor needed a shift; not
/// Gram-Schmidt. Source: Yamamoto et al. 2015; Fukaya et al. 2020 for the shift.
void cholesky_twice(ByTiles& on, index_t columns);
/// The same of columns anywhere in the multivector; and once, of nearly orthonormal ones, whose
/// block of R there is already.
void cholesky_twice(ByTiles& on, ColumnRange const& columns);
void cholesky_again(ByTiles& on, ColumnRange const& columns);

/// Block Gram-Schmidt over panels of `panel_columns`; each panel is orthonormalised by
/// CholeskyQR, twice. Source: Golub and Van Loan, section 5.2; Barlow 2019 for why twice.
void blocked(ByTiles& on, index_t columns);

/// Columns of a panel.
inline constexpr index_t panel_columns = 8;

} // namespace strata::mgs
