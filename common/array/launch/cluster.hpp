#pragma once

#include "cuda_launch.hpp"
#include "cuda_team.hpp"
#include "for_each.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"
#include "../layout/require.hpp"

// One launch of a few blocks that wait for each other, for a sequence of small loops of which
// each needs the last one's results: a barrier costs a fraction of a launch. A kernel is a
// named functor, `operator()(Cluster const&)`, called by every member of every block, with
// static `blocks` (at most 16), `members` of a block (whole warps) and `scratch_bytes` of a
// block.
//   cluster.block(), warp()   number of this block, and of this member's warp in it
//   cluster.scratch()         the block's scratch memory, aligned to 16 bytes
//   cluster.block_team(s)     the members of the block as a team, with scratch memory s
//   cluster.warp_team(n, s)   those of the warp as a team of index n, with scratch memory s
//   cluster.barrier()         barrier over all members of all blocks: what they have stored in
//                             the device's memory is seen after it

#if defined(STRATA_CUDA_CLUSTERS)

namespace strata::detail {

/// A team whose scratch memory is part of its block's.
template <int Members, int Packed>
class CudaTeamOver : public CudaMembers<Members, Packed>
{
public:
  KOKKOS_FUNCTION CudaTeamOver(index_t index, void* scratch)
      : CudaMembers<Members, Packed>(index)
      , scratch_(scratch)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION void* scratch() const { return scratch_; }

private:
  void* scratch_;
};

/// The launch's only cluster, as a thread of blocks of Members sees it.
template <int Members>
class CudaCluster
{
public:
  KOKKOS_FUNCTION explicit CudaCluster(void* scratch)
      : scratch_(scratch)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION int block() const { return of_device().block; }
  [[nodiscard]] KOKKOS_FUNCTION int warp() const { return of_device().thread / cuda_warp; }
  [[nodiscard]] KOKKOS_FUNCTION void* scratch() const { return scratch_; }
  [[nodiscard]] KOKKOS_FUNCTION auto block_team(void* scratch) const
  {
    return CudaTeamOver<Members, 1>(block(), scratch);
  }
  [[nodiscard]] KOKKOS_FUNCTION auto warp_team(index_t index, void* scratch) const
  {
    return CudaTeamOver<cuda_warp, Members / cuda_warp>(index, scratch);
  }
  KOKKOS_FUNCTION void barrier() const
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release;\n\t"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
#endif
  }

private:
  struct Place
  {
    int block, thread;
  };
  static KOKKOS_FUNCTION Place of_device()
  {
#if defined(__CUDA_ARCH__)
    return {static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x)};
#else
    return {0, 0};
#endif
  }

  void* scratch_;
};

template <class Kernel>
static __global__ void __launch_bounds__(Kernel::members, 1)
    cuda_cluster([[maybe_unused]] STRATA_KEPT_PARAMETER Kernel const kernel)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  nvidia::await_last_launch();
  kernel(CudaCluster<Kernel::members>(asked_scratch()));
#endif
}

/// How Kernel is launched.
template <class Kernel>
class ClusterConfiguration
{
public:
  ClusterConfiguration()
  {
    attributes_[0].id = cudaLaunchAttributeClusterDimension;
    attributes_[0].val.clusterDim = {Kernel::blocks, 1, 1};
    launch_.gridDim = dim3(Kernel::blocks);
    launch_.blockDim = dim3(Kernel::members);
    launch_.dynamicSmemBytes = Kernel::scratch_bytes;
    launch_.attrs = attributes_;
    launch_.numAttrs = 1;
  }
  ClusterConfiguration(ClusterConfiguration const&) = delete;
  ClusterConfiguration& operator=(ClusterConfiguration const&) = delete;
#if defined(STRATA_CUDA_EARLY)
  void start_early() { attributes_[launch_.numAttrs++] = nvidia::early_start(); }
#endif
  [[nodiscard]] cudaLaunchConfig_t const& launch() const { return launch_; }

private:
  cudaLaunchAttribute attributes_[2]{};
  cudaLaunchConfig_t launch_{};
};

/// Allows the kernel of this source the shared memory and blocks that it needs; false where the
/// device refuses them, or where the kernel was compiled for devices without clusters.
template <class Kernel>
static bool allows_cuda_cluster()
{
  static bool const allows = [] {
    constexpr int portable = 8; // blocks that every device with clusters runs
    auto const* const kernel = reinterpret_cast<void const*>(cuda_cluster<Kernel>);
    cudaSetDevice(Kokkos::Cuda().cuda_device()); // this may not be the thread that chose it
    cudaFuncAttributes compiled{};
    int clusters = 0;
    ClusterConfiguration<Kernel> const how;
    bool const all =
        cudaFuncGetAttributes(&compiled, kernel) == cudaSuccess && compiled.ptxVersion >= 90 &&
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(Kernel::scratch_bytes)) == cudaSuccess &&
        (Kernel::blocks <= portable ||
         cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
             cudaSuccess) &&
        cudaOccupancyMaxActiveClusters(&clusters, kernel, &how.launch()) == cudaSuccess &&
        clusters > 0;
    if (!all)
      cudaGetLastError(); // which no later check is to find
    return all;
  }();
  return allows;
}

template <class Kernel>
static void launch_cuda_cluster(char const* label, Kernel const& kernel)
{
  require(allows_cuda_cluster<Kernel>(), "this device runs no such cluster");
  CudaLaunch const launch(label);
  ensure_cuda_locks();
  ClusterConfiguration<Kernel> how;
#if defined(STRATA_CUDA_EARLY)
  if (nvidia::may_start_early(launch.stream()))
    how.start_early();
#endif
  launch(cuda_cluster<Kernel>, how.launch(), kernel);
}

} // namespace strata::detail

#endif

namespace strata {

/// Whether this device runs Kernel as a cluster: an NVIDIA GPU of compute capability 9 or later
/// that the source was compiled for.
template <class Kernel>
static bool runs_as_cluster()
{
#if defined(STRATA_CUDA_CLUSTERS)
  return detail::allows_cuda_cluster<Kernel>();
#else
  return false;
#endif
}

/// Launches `kernel` where it runs as a cluster; returns before it has finished.
template <class Kernel>
static void launch_cluster([[maybe_unused]] Kernel const& kernel)
{
#if defined(STRATA_CUDA_CLUSTERS)
  detail::launch_cuda_cluster(detail::label_of(kernel), kernel);
#else
  detail::require(false, "this device runs no clusters");
#endif
}

} // namespace strata
