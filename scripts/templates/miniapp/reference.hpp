#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// What the vectors hold, as closed forms in the global index.

namespace strata::appname {

/// a of y = a·x: 13/32.
inline constexpr double factor = 0.40625;

/// x at global index g: 1 to 1009. Neighbours differ, so that no exchange of two goes unseen,
/// and both it and factor times it are exact in float.
KOKKOS_FUNCTION inline double initial(index_t g)
{
  return static_cast<double>(g % 1009 + 1);
}

/// y at this rank's index i after any number of steps.
struct Expected
{
  index_t first; ///< global index of this rank's first element

  KOKKOS_FUNCTION double operator()(index_t i) const { return factor * initial(first + i); }
};

} // namespace strata::appname
