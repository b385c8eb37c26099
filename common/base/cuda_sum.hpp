#pragma once

#include "base/kokkos.hpp"

// Sums of hand-written CUDA kernels, for the native controls: raw pointers and shuffles,
// nothing of the core's own reductions. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::cuda {

inline constexpr int warp = 32;
/// Threads of a block that sums.
inline constexpr int sum_block = 256;
/// Blocks of one sum, at most.
inline constexpr int most_sum_blocks = 132 * 8;

/// Σ over each group of so many threads of a warp, in its first one; by all threads.
template <int Lanes, class T>
__device__ T lanes_sum(T mine)
{
  for (int distance = Lanes / 2; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffffU, mine, distance, Lanes);
  return mine;
}

/// Σ over a whole warp, in its first thread.
template <class T>
__device__ T warp_sum(T mine)
{
  return lanes_sum<warp>(mine);
}

/// Σ over a block of sum_block threads, in its first one; once in a kernel.
template <class T>
__device__ T block_sum(T mine)
{
  __shared__ T warps[sum_block / warp];
  mine = warp_sum(mine);
  if (threadIdx.x % warp == 0)
    warps[threadIdx.x / warp] = mine;
  __syncthreads();
  return warp_sum(threadIdx.x < sum_block / warp ? warps[threadIdx.x] : T(0));
}

/// *sum = Σ partial[i], i below `count`; of one block.
template <class T>
__global__ void total_sum(T const* partial, int count, T* sum)
{
  T mine = 0;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += sum_block)
    mine += partial[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0)
    *sum = mine;
}

/// Where the blocks of a sum leave their parts, most_sum_blocks at most; lives as long as
/// Kokkos does.
inline double* partial_sums()
{
  static double* const memory = [] {
    auto* p = static_cast<double*>(Kokkos::kokkos_malloc<DeviceSpace>(
        "strata::cuda::partial_sums", most_sum_blocks * sizeof(double)));
    Kokkos::push_finalize_hook([p] { Kokkos::kokkos_free<DeviceSpace>(p); });
    return p;
  }();
  return memory;
}

} // namespace strata::cuda

#endif
