#pragma once

#include "array/launch/unroll.hpp"
#include "base/types.hpp"

namespace strata::matvec {

/// Calls f(Number<L>) for the least power of two L, from a first one to 32, that is `wanted` or
/// more: work items of a GPU that share a row.
template <int L = 1, class F>
void with_lanes(index_t wanted, F const& f)
{
  if constexpr (L == 32)
    f(Number<L>());
  else if (wanted <= L)
    f(Number<L>());
  else
    with_lanes<2 * L>(wanted, f);
}

} // namespace strata::matvec
