#pragma once

#include "base/cuda_sum.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

// How the hand-written CUDA kernels number their threads. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec::native {

inline constexpr int block = 128; ///< threads

inline unsigned blocks_for(index_t items)
{
  return static_cast<unsigned>((items + block - 1) / block);
}

/// Of this thread, along the grid's first dimension.
__device__ inline index_t my_item()
{
  return blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
}

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

} // namespace strata::matvec::native

#endif
