#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

// Launches on an NVIDIA GPU: kernels of our own on Kokkos' stream. Through Kokkos' TeamPolicy
// the same functors take 0.3 to 1.0 us longer on an H100 or H200, and a host 0.7 to 1.2 us
// longer to launch. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

/// A kernel's parameter that is not copied where its address is taken, as for a virtual call.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define STRATA_KEPT_PARAMETER
#else
#define STRATA_KEPT_PARAMETER __grid_constant__
#endif

namespace strata::detail {

/// kernel<<<blocks, threads>>>(arguments...), of which Kokkos' tools hear as of its own. Throws
/// std::runtime_error if CUDA refuses the launch, or has failed before it.
template <class... Parameters, class... Arguments>
void launch_cuda(char const* label, void (*kernel)(Parameters...), index_t blocks, int threads,
                 Arguments const&... arguments)
{
  if (blocks == 0)
    return;
  if (blocks > std::numeric_limits<int>::max())
    throw std::runtime_error(std::string(label) + ": more blocks than one launch has");
  Kokkos::Cuda const space;
  bool const is_heard = Kokkos::Tools::profileLibraryLoaded();
  std::uint64_t id = 0;
  if (is_heard)
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &id);
  ensure_cuda_locks();
  cudaSetDevice(space.cuda_device()); // this may not be the thread that chose it
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0,
           space.cuda_stream()>>>(arguments...);
  if (cudaError_t const error = cudaGetLastError(); error != cudaSuccess)
    throw std::runtime_error(std::string(label) +
                             " was not launched: " + cudaGetErrorString(error));
  if (is_heard)
    Kokkos::Tools::endParallelFor(id);
}

/// One item a thread; Loop is a DeviceFor.
template <class Loop>
__global__ void __launch_bounds__(Loop::block, Loop::blocks_at_once)
    cuda_items(STRATA_KEPT_PARAMETER Loop const loop)
{
  index_t const item = blockIdx.x * static_cast<index_t>(Loop::block) + threadIdx.x;
  if (item < loop.items())
    loop(item);
}

template <class Loop>
void launch_cuda_items(char const* label, Loop const& loop)
{
  launch_cuda(label, cuda_items<Loop>, (loop.items() + Loop::block - 1) / Loop::block,
              Loop::block, loop);
}

} // namespace strata::detail

#endif
