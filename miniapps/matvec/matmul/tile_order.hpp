#pragma once

#include "base/kokkos.hpp"
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

  KOKKOS_FUNCTION TileOrder(index_t rows_of_tiles, index_t columns_of_tiles, index_t band)
      : rows_(rows_of_tiles)
      , columns_(columns_of_tiles)
      , band_(band)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t count() const { return rows_ * columns_; }
  [[nodiscard]] KOKKOS_FUNCTION Tile operator()(index_t number) const
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
