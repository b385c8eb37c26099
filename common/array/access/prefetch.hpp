#pragma once

#include "../../base/kokkos.hpp"

namespace strata {

/// Asks a host's caches for the line of `p`, which is soon loaded, or stored. GPUs have other
/// work items to run while one waits.
template <bool Stored = false>
KOKKOS_FUNCTION void prefetch([[maybe_unused]] void const* p)
{
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  __builtin_prefetch(p, Stored ? 1 : 0);
#endif
}

} // namespace strata
