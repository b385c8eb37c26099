#pragma once

#include "device_team.hpp"

#include "../../base/cuda/early.hpp"
#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
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

/// Whether the toolkit knows clusters of blocks; which devices do is asked at run time.
#if CUDART_VERSION >= 11080
#define STRATA_CUDA_CLUSTERS
#endif

namespace strata::detail {

/// One launch on Kokkos' stream, of which Kokkos' tools hear as of its own.
class CudaLaunch
{
public:
  explicit CudaLaunch(char const* label)
      : label_(label)
      , is_heard_(Kokkos::Tools::profileLibraryLoaded())
  {
    if (is_heard_)
      Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space_),
                                      &id_);
    cudaSetDevice(space_.cuda_device()); // this may not be the thread that chose it
  }
  ~CudaLaunch()
  {
    if (is_heard_)
      Kokkos::Tools::endParallelFor(id_);
  }
  CudaLaunch(CudaLaunch const&) = delete;
  CudaLaunch& operator=(CudaLaunch const&) = delete;

  /// kernel<<<blocks, threads, scratch_bytes>>>(parameters...), none if there are no blocks.
  /// The kernel begins with nvidia::await_last_launch(). Throws std::runtime_error if CUDA
  /// refuses it. CUDA limits the bytes of the parameters: to 4096 before CUDA 12.1, then to
  /// 32764.
  template <class... Parameters>
  void operator()(void (*kernel)(Parameters...), index_t blocks, int threads,
                  std::size_t scratch_bytes, Parameters const&... parameters) const
  {
    if (blocks == 0)
      return;
    if (blocks > std::numeric_limits<int>::max())
      throw std::runtime_error(std::string(label_) + ": more blocks than one launch has");
    check(nvidia::launch_early(kernel, dim3(static_cast<unsigned>(blocks)),
                               dim3(static_cast<unsigned>(threads)), scratch_bytes, stream(),
                               parameters...));
  }
#if defined(STRATA_CUDA_CLUSTERS)
  /// The same of a kernel of one parameter, as `how` says, but for its stream.
  template <class Parameter>
  void operator()(void (*kernel)(Parameter), cudaLaunchConfig_t how,
                  Parameter const& parameter) const
  {
    how.stream = stream();
    void* of_kernel[] = {const_cast<void*>(static_cast<void const*>(&parameter))};
    check(cudaLaunchKernelExC(&how, reinterpret_cast<void const*>(kernel), of_kernel));
  }
#endif

  [[nodiscard]] cudaStream_t stream() const { return space_.cuda_stream(); }

  /// Of a launch of a library's, too.
  void check(cudaError_t error) const
  {
    if (error != cudaSuccess) {
      cudaGetLastError(); // which no later check is to find
      throw std::runtime_error(std::string(label_) +
                               " was not launched: " + cudaGetErrorString(error));
    }
#if defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
    space_.fence(); // as after Kokkos' launches: a fault is found where it is made
#endif
  }

private:
  Kokkos::Cuda space_;
  char const* label_;
  bool is_heard_;
  std::uint64_t id_ = 0;
};

} // namespace strata::detail

namespace strata {

/// A launch of what CUDA's own compiler has translated: launch(stream) returns CUDA's error.
/// Throws std::runtime_error if CUDA refuses it.
template <class Launch>
void launch_cuda(char const* label, Launch const& launch)
{
  detail::CudaLaunch const heard(label);
  heard.check(launch(heard.stream()));
}

} // namespace strata

namespace strata::detail {

/// What a launch asks for where a block's teams need more than is usual: all of it.
KOKKOS_FUNCTION constexpr std::size_t asked_scratch_bytes(std::size_t bytes)
{
  return bytes > usual_scratch_bytes ? bytes : 0;
}
/// The shared memory that a launch asked for, aligned to 16 bytes.
KOKKOS_FUNCTION inline void* asked_scratch()
{
#if defined(__CUDA_ARCH__)
  extern __shared__ double2 memory_of_block[];
  return memory_of_block;
#else
  return nullptr;
#endif
}

// Kernels are static, as Kokkos' are: with them each source has the locks that it was given.

/// One item a thread; Loop is a DeviceFor.
template <class Loop>
static __global__ void __launch_bounds__(Loop::block, Loop::blocks_at_once)
    cuda_items(STRATA_KEPT_PARAMETER Loop const loop)
{
  nvidia::await_last_launch();
  index_t const item = blockIdx.x * static_cast<index_t>(Loop::block) + threadIdx.x;
  if (item < loop.items())
    loop(item);
}

template <class Loop>
void launch_cuda_items(char const* label, Loop const& loop)
{
  CudaLaunch const launch(label);
  ensure_cuda_locks();
  launch(cuda_items<Loop>, (loop.items() + Loop::block - 1) / Loop::block, Loop::block, 0,
         loop);
}

} // namespace strata::detail

#endif
