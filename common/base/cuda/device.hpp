#pragma once

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

// What native controls ask about the CUDA device that they run on. Empty without CUDA. The
// namespace is not named cuda: `using namespace strata;` would make CUDA's own ambiguous.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::nvidia {

/// An attribute of the current device.
inline index_t attribute(cudaDeviceAttr which)
{
  int device = 0;
  int found = 0;
  STRATA_CHECK(cudaGetDevice(&device) == cudaSuccess &&
                   cudaDeviceGetAttribute(&found, which, device) == cudaSuccess,
               "CUDA does not tell an attribute of its device");
  return found;
}

inline index_t multiprocessors()
{
  static index_t const count = attribute(cudaDevAttrMultiProcessorCount);
  return count;
}

/// Of the last-level cache.
inline index_t cache_bytes()
{
  static index_t const bytes = attribute(cudaDevAttrL2CacheSize);
  return bytes;
}

} // namespace strata::nvidia

#endif
