#pragma once

#include "tiles.hpp"

#include "base/kokkos.hpp"

namespace strata::mgs {

/// Inputs and results of passes over tiles, in the device's memory.
struct TileMemory
{
  double* factors; ///< for each one kept, U and beside it C: most_tile_columns rows of `pitch`,
                   ///< C from column `panel` of the pass on
  double* inverses; ///< of their diagonals, most_tile_columns each
  double* products; ///< left × right, in rows of right.count
  double* partials; ///< parts of the same, to be summed
  double* repeats;  ///< 1 where the panel's first factor needed a shift or grows more than is
                    ///< allowed, so that passes repeat, else 0
  index_t pitch;

  /// Row `row` of (U, C).
  [[nodiscard]] KOKKOS_FUNCTION double* factor(int place, index_t row) const
  {
    return factors + (place * most_tile_columns + row) * pitch;
  }
  [[nodiscard]] KOKKOS_FUNCTION double* inverse(int place) const
  {
    return inverses + place * most_tile_columns;
  }
  [[nodiscard]] KOKKOS_FUNCTION int divisors(TilePass const& pass) const
  {
    Divisors const& of = pass.divisors;
    return of.usual == of.if_repeated || *repeats == 0 ? of.usual : of.if_repeated;
  }
};

} // namespace strata::mgs
