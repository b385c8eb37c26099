#pragma once

#include "base/device_function.hpp"
#include "base/types.hpp"

namespace strata::matvec {

/// The numbers of C's tiles: down bands of a few rows of tiles, so that teams that run at once
/// share panels.
class TileOrder
{
public:
  struct Tile
  {
    index_t row, column;
  };

  /// Of a matrix of so many rows and columns, in tiles of `high` by `wide` elements.
  STRATA_FUNCTION TileOrder(index_t rows, index_t columns, int high, int wide, index_t band)
      : rows_((rows + high - 1) / high)
      , columns_((columns + wide - 1) / wide)
      , band_(band)
  {
  }
  [[nodiscard]] STRATA_FUNCTION index_t count() const { return rows_ * columns_; }
  [[nodiscard]] STRATA_FUNCTION Tile operator()(index_t number) const
  {
    index_t const of_band = band_ * columns_;
    index_t const first = number / of_band * band_;
    index_t const left = rows_ - first;
    index_t const high = left < band_ ? left : band_;
    index_t const in_band = number % of_band;
    return {first + in_band % high, in_band / high};
  }

private:
  index_t rows_, columns_, band_;
};

} // namespace strata::matvec
