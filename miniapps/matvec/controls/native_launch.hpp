#pragma once

#include "base/cuda/sum.hpp"
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

} // namespace strata::matvec::native

#endif
