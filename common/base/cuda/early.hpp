#pragma once

#include "../kokkos.hpp"

#include <cstddef>
#include <type_traits>

// Launches on an NVIDIA GPU that start early: from compute capability 9 on, the device prepares
// a launch while the one before it on the stream still runs (CUDA's programmatic dependent
// launch), and the kernel waits for that one's end itself. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

/// Whether the toolkit has such launches and records them in graphs.
#if CUDART_VERSION >= 12030
#define STRATA_CUDA_EARLY
#endif

namespace strata::nvidia {

/// The first statement of a kernel that may start early, for all of its threads: what the
/// launches before it on the stream have stored is seen after it.
__device__ inline void await_last_launch()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#if defined(STRATA_CUDA_EARLY)

/// Tells by its attributes what this source was compiled for.
template <int = 0>
static __global__ void of_this_source()
{
}

/// Whether the kernels of this source may start early on a stream: it is not the null stream,
/// the driver records such launches, and the kernels were compiled for a device that has them,
/// since others do not wait. Static, because each source has its own kernels.
static inline bool may_start_early(cudaStream_t stream) // NOLINT(misc-definitions-in-headers)
{
  static bool const may = [] {
    int driver = 0;
    cudaFuncAttributes compiled{};
    bool const can =
        cudaDriverGetVersion(&driver) == cudaSuccess && driver >= 12030 &&
        cudaFuncGetAttributes(&compiled, reinterpret_cast<void const*>(of_this_source<>)) ==
            cudaSuccess &&
        compiled.ptxVersion >= 90;
    if (!can)
      cudaGetLastError(); // which no later check is to find
    return can;
  }();
  return stream != nullptr && may;
}

inline cudaLaunchAttribute early_start()
{
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return attribute;
}

#endif

/// kernel<<<blocks, threads, scratch_bytes, stream>>>(parameters...), early where it may be.
/// The kernel begins with await_last_launch().
template <class... Parameters>
static cudaError_t launch_early(void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                                std::size_t scratch_bytes, cudaStream_t stream,
                                std::type_identity_t<Parameters> const&... parameters)
{
  auto const* const entry = reinterpret_cast<void const*>(kernel);
  void* of_kernel[] = {const_cast<void*>(static_cast<void const*>(&parameters))...};
#if defined(STRATA_CUDA_EARLY)
  if (may_start_early(stream)) {
    cudaLaunchAttribute attribute = early_start();
    cudaLaunchConfig_t how{};
    how.gridDim = blocks;
    how.blockDim = threads;
    how.dynamicSmemBytes = scratch_bytes;
    how.stream = stream;
    how.attrs = &attribute;
    how.numAttrs = 1;
    return cudaLaunchKernelExC(&how, entry, of_kernel);
  }
#endif
  return cudaLaunchKernel(entry, blocks, threads, of_kernel, scratch_bytes, stream);
}

} // namespace strata::nvidia

#endif
