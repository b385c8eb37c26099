#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>

// Sums of hand-written CUDA kernels, for the native controls: raw pointers and shuffles,
// nothing of the core's own reductions. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::cuda {

inline constexpr int warp = 32;
/// Threads of a block that sums.
inline constexpr int sum_block = 256;
/// Blocks that a multiprocessor runs at once: all that its threads suffice for.
inline constexpr int sum_blocks_at_once = 8;
/// Greatest number of blocks of one sum: one wave of an H100 or H200.
inline constexpr int most_sum_blocks = 132 * sum_blocks_at_once;

/// Sum over each group of Lanes threads of a warp, in the group's first thread; all threads of
/// the warp must call it.
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

/// Sum over a block of sum_block threads, in its first thread; at most one call per kernel.
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

/// A vector of the device's widest access, 16 bytes.
template <class T>
struct alignas(16) Wide
{
  static constexpr int width = 16 / sizeof(T);
  T lane[width];
};

/// partial[block] = the block's part of Σ x[i] y[i] over i below n; if not Product, of Σ x[i],
/// without loading y. One sum takes all terms in turn: sums of pairs need registers that would
/// leave a multiprocessor six blocks, and the grid a second wave.
template <bool Product, class T>
__global__ void __launch_bounds__(sum_block, sum_blocks_at_once)
    partial_sum(T const* x, T const* y, index_t n, double* partial)
{
  constexpr int width = Wide<T>::width;
  constexpr int unroll = 4;
  auto const term = [](T a, T b) {
    return static_cast<double>(a) * (Product ? static_cast<double>(b) : 1.0);
  };
  double sum = 0;
  auto const add = [&](Wide<T> a, Wide<T> b) {
#pragma unroll
    for (int w = 0; w < width; ++w)
      sum += term(a.lane[w], b.lane[w]);
  };
  auto const* const wide_x = reinterpret_cast<Wide<T> const*>(x);
  auto const* const wide_y = reinterpret_cast<Wide<T> const*>(y);
  index_t const whole = n / width;
  index_t const stride = static_cast<index_t>(gridDim.x) * sum_block;
  index_t i = blockIdx.x * static_cast<index_t>(sum_block) + threadIdx.x;
  for (; i + (unroll - 1) * stride < whole; i += unroll * stride) {
    Wide<T> a[unroll];
    Wide<T> b[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      a[u] = wide_x[i + u * stride];
      b[u] = wide_y[i + u * stride];
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      add(a[u], b[u]);
  }
  for (; i < whole; i += stride)
    add(wide_x[i], wide_y[i]);
  if (blockIdx.x == 0 && threadIdx.x < n - whole * width) {
    index_t const k = whole * width + threadIdx.x;
    sum += term(x[k], y[k]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
}

/// Device memory for the partial sums of up to most_sum_blocks blocks; freed by Kokkos'
/// finalize.
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

/// *sum = Σ x[i] y[i], i below n, by at most `most_blocks` blocks; Σ x[i] where Product is
/// false. x and y start on multiples of 16 bytes.
template <bool Product, class T>
void launch_sum(T const* x, T const* y, index_t n, double* sum,
                int most_blocks = most_sum_blocks)
{
  index_t const wanted = (n / Wide<T>::width + sum_block - 1) / sum_block;
  int const blocks = static_cast<int>(std::clamp<index_t>(wanted, 1, most_blocks));
  double* const partial = partial_sums();
  partial_sum<Product><<<static_cast<unsigned>(blocks), sum_block>>>(x, y, n, partial);
  total_sum<<<1, sum_block>>>(partial, blocks, sum);
}

} // namespace strata::cuda

#endif
