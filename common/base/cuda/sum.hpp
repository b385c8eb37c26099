#pragma once

#include "early.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

// Sums of hand-written CUDA kernels, for the native controls: raw pointers and shuffles,
// nothing of the core's own reductions. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::nvidia {

inline constexpr int warp = 32;

/// That of Kokkos' launches.
inline cudaStream_t stream()
{
  return Kokkos::Cuda().cuda_stream();
}

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
  __syncwarp(); // else nvcc may compile each shuffle for a divided warp, which takes longer
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

/// Sum over a block of sum_block threads, in its first thread; a __syncthreads lies between two
/// calls in a kernel.
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

/// Whether this is the last of `blocks` blocks that call it with one ticket; it then sees what
/// all of them had stored before. All threads of a block call it. The ticket is 0 before the
/// first call and after the last one.
__device__ inline bool is_last_block(unsigned* ticket, unsigned blocks)
{
  __shared__ bool last;
  __threadfence(); // of each thread: its partial sums before the ticket
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    last = atomicInc(ticket, blocks - 1) == blocks - 1;
  __syncthreads();
  __threadfence();
  return last;
}

/// Device memory for the partial sums of blocks and for their tickets, which are 0; freed by
/// Kokkos' finalize.
struct PartialSums
{
  double* values;
  unsigned* tickets;

  PartialSums(std::string const& label, index_t value_count, index_t ticket_count)
  {
    auto const value_bytes = static_cast<std::size_t>(value_count) * sizeof(double);
    auto const ticket_bytes = static_cast<std::size_t>(ticket_count) * sizeof(unsigned);
    void* const memory = Kokkos::kokkos_malloc<DeviceSpace>(label, value_bytes + ticket_bytes);
    values = static_cast<double*>(memory);
    tickets = reinterpret_cast<unsigned*>(values + value_count);
    STRATA_CHECK(cudaMemset(tickets, 0, ticket_bytes) == cudaSuccess, "cudaMemset failed");
    Kokkos::push_finalize_hook([memory] { Kokkos::kokkos_free<DeviceSpace>(memory); });
  }
};

/// A vector of the device's widest access, 16 bytes.
template <class T>
struct alignas(16) Wide
{
  static constexpr int width = 16 / sizeof(T);
  T lane[width];
};

/// Pairs of 16-byte loads that a thread of a sum has in flight.
inline constexpr int sum_unroll = 4;

/// The device's memory through which the blocks of a sum hand their parts to the last one. A
/// part is two words, its halves, each beside the number of the launch: the last block waits
/// until both are of its launch, without a fence or a ticket. (The core's reduction does so by
/// code of its own, since this is its control.)
class HandedParts
{
public:
  using Word = std::uint64_t;

  explicit HandedParts(int most_blocks)
      : words_(static_cast<Word*>(Kokkos::kokkos_malloc<DeviceSpace>(
            "strata::nvidia::HandedParts", sizeof(Word) * words_of(most_blocks))))
      , blocks_(most_blocks)
  {
    STRATA_CHECK(cudaMemset(words_, 0, sizeof(Word) * words_of(most_blocks)) == cudaSuccess,
                 "cudaMemset failed");
    Kokkos::push_finalize_hook([words = words_] { Kokkos::kokkos_free<DeviceSpace>(words); });
  }

  /// The number of this launch, from 1 on.
  [[nodiscard]] __device__ Word number() const { return words_[2 * blocks_] + 1; }
  __device__ void hand(unsigned block, double part, Word number) const
  {
    auto const bits = static_cast<Word>(__double_as_longlong(part));
    Word volatile* const to = words_ + 2 * block;
    to[0] = number << 32 | (bits & half);
    to[1] = number << 32 | bits >> 32;
  }
  [[nodiscard]] __device__ double handed(unsigned block, Word number) const
  {
    Word const volatile* const from = words_ + 2 * block;
    Word low = 0;
    Word high = 0;
    do {
      low = from[0];
      high = from[1];
    } while (low >> 32 != number || high >> 32 != number);
    return __longlong_as_double(static_cast<long long>(high << 32 | (low & half)));
  }
  /// By all threads of the last block, which has all parts: the next launch's number follows,
  /// and after 2^32 - 1 the first one, when no old part may be left.
  __device__ void end(Word number) const
  {
    if (number == half)
#pragma unroll 1 // once in 2^32 launches: the others fetch less code
      for (int k = static_cast<int>(threadIdx.x); k < 2 * blocks_; k += sum_block)
        words_[k] = 0;
    if (threadIdx.x == 0)
      words_[2 * blocks_] = number == half ? 0 : number;
  }

private:
  static constexpr Word half = 0xffffffff;
  static std::size_t words_of(int blocks) { return 2 * static_cast<std::size_t>(blocks) + 1; }

  Word* words_;
  int blocks_;
};

/// *total = Σ x[i] y[i] over i below n; if not Product, Σ x[i], without loading y. The last
/// block adds the blocks' parts, always in the same order. One sum takes all terms in turn:
/// sums of pairs need registers that would leave a multiprocessor six blocks, and the grid a
/// second wave.
template <bool Product, class T>
__global__ void __launch_bounds__(sum_block, sum_blocks_at_once)
    sum_by_blocks(T const* x, T const* y, index_t n, HandedParts parts, double* total)
{
  await_last_launch();
  constexpr int width = Wide<T>::width;
  constexpr int unroll = sum_unroll;
  auto const term = [](T a, T b) {
    return static_cast<double>(a) * (Product ? static_cast<double>(b) : 1.0);
  };
  auto const* const wide_x = reinterpret_cast<Wide<T> const*>(x);
  auto const* const wide_y = reinterpret_cast<Wide<T> const*>(y);
  index_t const whole = n / width;
  index_t const stride = static_cast<index_t>(gridDim.x) * sum_block;
  index_t i = blockIdx.x * static_cast<index_t>(sum_block) + threadIdx.x;
  double sum = 0;
  // Adds `unroll` vectors, of which those from `whole` on count as 0.
  auto const add = [&](auto is_there) {
    Wide<T> a[unroll];
    Wide<T> b[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      a[u] = is_there(u) ? wide_x[i + u * stride] : Wide<T>{};
      b[u] = Product && is_there(u) ? wide_y[i + u * stride] : Wide<T>{};
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int w = 0; w < width; ++w)
        sum += term(a[u].lane[w], b[u].lane[w]);
  };
  // Where a warp's last thread has no whole group of loads, the whole warp goes on to the rest.
  index_t const ahead = (unroll - 1) * stride + warp - 1 - threadIdx.x % warp;
  for (; i + ahead < whole; i += unroll * stride)
    add([](int) { return true; });
  if (i < whole)
    add([&](int u) { return i + u * stride < whole; });
  if (blockIdx.x == 0 && threadIdx.x < n - whole * width) {
    index_t const k = whole * width + threadIdx.x;
    sum += term(x[k], y[k]);
  }
  unsigned const last = gridDim.x - 1;
  HandedParts::Word number = 0;
  if (last > 0 && (blockIdx.x == last || threadIdx.x == 0))
    number = parts.number();
  sum = block_sum(sum);
  if (blockIdx.x < last) {
    if (threadIdx.x == 0)
      parts.hand(blockIdx.x, sum, number);
    return;
  }
  if (last > 0) {
    double others = 0;
    for (unsigned block = threadIdx.x; block < last; block += sum_block)
      others += parts.handed(block, number);
    __syncthreads();
    sum += block_sum(others);
    parts.end(number);
  }
  if (threadIdx.x == 0)
    *total = sum;
}

inline HandedParts const& parts_of_blocks()
{
  static HandedParts const parts(most_sum_blocks);
  return parts;
}

/// *sum = Σ x[i] y[i], i below n, by one launch of at most `most_blocks` blocks; Σ x[i] where
/// Product is false. x and y start on multiples of 16 bytes.
template <bool Product, class T>
void launch_sum(T const* x, T const* y, index_t n, double* sum,
                int most_blocks = most_sum_blocks)
{
  constexpr index_t of_block = index_t{Wide<T>::width} * sum_block * sum_unroll;
  auto const blocks =
      static_cast<unsigned>(std::clamp<index_t>((n + of_block - 1) / of_block, 1, most_blocks));
  launch_early(sum_by_blocks<Product, T>, blocks, sum_block, 0, stream(), x, y, n,
               parts_of_blocks(), sum);
}

} // namespace strata::nvidia

#endif
