#pragma once

#include "../kokkos.hpp"

// Copies from an NVIDIA GPU's memory to a block's shared memory that pass no register and run
// while the thread goes on (compute capability 8 or later). Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::nvidia {

/// Starts copying Bytes, 4, 8 or 16, to which both addresses are aligned.
template <int Bytes>
__device__ void copy_async([[maybe_unused]] void* shared, [[maybe_unused]] void const* global)
{
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) // past the first-level cache, as only whole vectors go
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global),
                 "n"(Bytes));
#endif
}
/// The same where only the first `there` bytes are read; the others become 0.
template <int Bytes>
__device__ void copy_async([[maybe_unused]] void* shared, [[maybe_unused]] void const* global,
                           [[maybe_unused]] int there)
{
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
                 "r"(there));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(global),
                 "r"(there), "n"(Bytes));
#endif
}

/// The same of 16 bytes, or nothing, without a branch around which nothing moves.
__device__ inline void copy_async_if([[maybe_unused]] bool wanted,
                                     [[maybe_unused]] void* shared,
                                     [[maybe_unused]] void const* global)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("{ .reg .pred wanted; setp.ne.b32 wanted, %2, 0;"
               " @wanted cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(to),
               "l"(global), "r"(static_cast<int>(wanted)));
#endif
}

/// Ends a group of copies: those that this thread has started since the last group.
__device__ inline void end_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until this thread's groups have arrived, but for the last `Left`. A barrier makes them
/// visible to the block.
template <int Left>
__device__ void await_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
#endif
}

} // namespace strata::nvidia

#endif
