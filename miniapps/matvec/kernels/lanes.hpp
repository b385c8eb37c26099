#pragma once

#include "array/launch/unroll.hpp"
#include "base/types.hpp"

namespace strata::matvec {

/// Calls f(Number<N>) with the number N of a GPU's work items that share a row: `wanted`
/// rounded up to a power of two, clamped to [L, 32].
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
