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

/// Greatest number of factors by which a pass divides: of a panel of `panel_columns`, else 1.
inline constexpr int most_divisors = 2;
/// By how many of the factors kept a pass divides, in their order.
struct Divisors
{
  int usual = 0;
  int if_repeated = usual; ///< where passes that repeat are made
};

/// One pass over the rows. `rest` follows `panel` without a gap. A pass that stores nothing
/// leaves the panel as it was: a later one divides it again, bit for bit alike.
struct TilePass
{
  ColumnRange panel;
  ColumnRange rest;
  Divisors divisors = {}; ///< panel = panel·U⁻¹ for each of these U
  bool updates = false;   ///< then rest -= panel·C with the C found last
  bool stores = false;    ///< then the panel, and the rest if updated
  ColumnRange left = {};  ///< then products of these columns of panel and rest ...
  ColumnRange right = {}; ///< ... with these, which begin with `left`; over all ranks
  bool repeats = false;   ///< made only where TileMemory::repeats says so

  // Of the tile: the number of its columns; that of the stored ones, which come first; and the
  // multivector's number of its first column.
  [[nodiscard]] KOKKOS_FUNCTION index_t columns() const { return panel.count + rest.count; }
  [[nodiscard]] KOKKOS_FUNCTION index_t stored() const
  {
    if (!stores)
      return 0;
    return updates ? columns() : panel.count;
  }
  /// Whether its columns are a panel and a rest.
  [[nodiscard]] KOKKOS_FUNCTION bool has_both() const
  {
    return panel.count > 0 && rest.count > 0;
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
  int place = 0;        ///< among the factors kept
  bool repeats = false; ///< see TilePass
  index_t pitch = 0;    ///< of the rows of products; 0: as many as columns of panel and rest
};

class TileOperations
{
public:
  TileOperations() = default;
  TileOperations(TileOperations const&) = delete;
  TileOperations& operator=(TileOperations const&) = delete;
  virtual ~TileOperations() = default;

  virtual void pass(TilePass const& pass) = 0;
  virtual void factor(TileFactor const& factor) = 0;
  /// Whether `blocked` divides a panel again, by both factors, rather than store it between
  /// them.
  [[nodiscard]] virtual bool divides_again() const = 0;
  /// The same of `cholesky_twice` and all columns.
  [[nodiscard]] virtual bool divides_all_again() const { return false; }
};

/// CholeskyQR, applied twice, or three times where the first factor needed a shift or is
/// refused; not Gram-Schmidt. Source: Yamamoto et al. 2015; Fukaya et al. 2020 for the shift.
void cholesky_twice(TileOperations& on, index_t columns);

/// Block Gram-Schmidt over panels of `panel_columns`; each panel is orthonormalised by
/// CholeskyQR, twice. Source: Golub and Van Loan, section 5.2; Barlow 2019 for why twice.
void blocked(TileOperations& on, index_t columns);

/// Columns of a panel.
inline constexpr index_t panel_columns = 8;

/// Rows up to which all passes can be one launch.
inline constexpr index_t rows_of_one_launch = 8192;
/// Whether it takes less time to divide a panel again than to store it, on so many rows: where
/// memory is the bound.
constexpr bool dividing_is_faster(index_t rows)
{
  return !device_is_host && rows > rows_of_one_launch;
}
/// Whether it takes less time to divide all columns again, by inverses, than to store them once
/// more: where they are 20 MiB and more, by measurement on an H200.
constexpr bool inverses_are_faster(index_t rows, index_t columns)
{
  return rows * columns >= index_t{5} << 19;
}
static_assert(!inverses_are_faster(rows_of_one_launch, most_tile_columns));

} // namespace strata::mgs
