#pragma once

#include "../../base/kokkos.hpp"

namespace strata {

// The functions for a host are inlined always, and so must be any that only call them: GCC
// drops calls of functions that do nothing but prefetch.

/// Prefetches the cache line of `p` on a host, for a load or, if Stored, for a store. A no-op
/// on a GPU, which hides latency by running other work items; where all of those wait for
/// something else, there is prefetch_on_gpu().
template <bool Stored = false>
KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] void const* p)
{
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  __builtin_prefetch(p, Stored ? 1 : 0);
#endif
}

/// The same for a load, into the second-level cache: where many lines are prefetched hundreds
/// of instructions ahead, they would evict from the first level what is in use.
KOKKOS_FORCEINLINE_FUNCTION void prefetch_second_level([[maybe_unused]] void const* p)
{
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  __builtin_prefetch(p, 0, 2);
#endif
}

/// Asks an NVIDIA GPU for the line of `p` in its second-level cache; no register waits for
/// it. A no-op elsewhere.
KOKKOS_FUNCTION inline void prefetch_on_gpu([[maybe_unused]] void const* p)
{
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#endif
}

} // namespace strata
