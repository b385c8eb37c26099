#pragma once

#include "base/types.hpp"

namespace strata::mgs {

/// Inputs and results of passes over tiles, in the device's memory.
struct TileMemory
{
  double* factor;   ///< U found last, and beside it C: rows of `pitch`, C from column
                    ///< `panel` of the pass on
  double* inverse;  ///< of U's diagonal
  double* products; ///< left × right, in rows of right.count
  double* partials; ///< parts of the same, to be summed
  double* shifted;  ///< 1 where the panel's first factor needed a shift, else 0
  index_t pitch;
};

} // namespace strata::mgs
