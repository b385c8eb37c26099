#pragma once

#include "cuda_launch.hpp"
#include "device_team.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"
#include "../layout/require.hpp"

#include <cstddef>
#include <cstdint>

// Teams on an NVIDIA GPU. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::detail {

inline constexpr int cuda_warp = 32;

/// The members of a team, Members threads of a CUDA block, which holds Packed such teams.
template <int Members, int Packed>
class CudaMembers
{
public:
  static constexpr int size = Members;

  KOKKOS_FUNCTION explicit CudaMembers(index_t index)
      : index_(index)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t index() const { return index_; }
  [[nodiscard]] KOKKOS_FUNCTION int rank() const
  {
    return Packed == 1 ? thread() : thread() % Members;
  }
  // Chains of shuffles begin with a barrier of the warp. After a loop that its threads leave at
  // different times, nvcc 13.0 otherwise compiles each shuffle for a divided warp, which took
  // some 50 ns more (H200).
  template <class T>
  KOKKOS_FUNCTION T sum(T value) const
  {
    T values[1] = {value};
    sum(values);
    return values[0];
  }
  /// Sums all values together, by warp shuffles and two barriers.
  template <class T, int N>
  KOKKOS_FUNCTION void sum([[maybe_unused]] T (&values)[N]) const
  {
#if defined(__CUDA_ARCH__)
    constexpr int warps = Members / warp;
    barrier_of<warp>();
    for (int lane = warp / 2; lane > 0; lane /= 2)
      for (int n = 0; n < N; ++n)
        values[n] += of_neighbour(values[n], lane);
    if constexpr (warps > 1) {
      __shared__ T of_warp[N][warps];
      __syncthreads(); // the sums before these have been read
      if (rank() % warp == 0)
        for (int n = 0; n < N; ++n)
          of_warp[n][rank() / warp] = values[n];
      __syncthreads();
      for (int n = 0; n < N; ++n) {
        values[n] = T{};
        for (int w = 0; w < warps; ++w)
          values[n] += of_warp[n][w];
      }
    }
#endif
  }
  template <int N, class T>
  KOKKOS_FUNCTION T sum_of(T value) const
  {
    static_assert(N <= warp && Members % N == 0, "a group's members are of one warp");
    barrier_of<warp>();
    for (int lane = N / 2; lane > 0; lane /= 2)
      value += of_neighbour(value, lane);
    return value;
  }
  /// Members exchange halves of their values until each has one sum: R - 1 exchanges instead of
  /// R log2 R.
  template <int N, class T, int R>
  KOKKOS_FUNCTION T sums_of(T (&values)[R]) const
  {
    static_assert(R <= N && N <= warp && Members % N == 0, "a group's members are of one warp");
    barrier_of<warp>();
    for (int half = R / 2; half > 0; half /= 2) {
      bool const upper = (rank() & half) != 0;
      for (int n = 0; n < half; ++n) {
        T const given = upper ? values[n] : values[n + half];
        values[n] = (upper ? values[n + half] : values[n]) + of_neighbour(given, half);
      }
    }
    for (int lane = R; lane < N; lane *= 2)
      values[0] += of_neighbour(values[0], lane);
    return values[0];
  }
  template <int N, class T>
  KOKKOS_FUNCTION T value_of(T value, [[maybe_unused]] int member) const
  {
    static_assert(N == warp, "the other groups of a warp would have to call it");
#if defined(__CUDA_ARCH__)
    return __shfl_sync(whole_warp, value, member);
#else
    return value;
#endif
  }
  template <int N>
  KOKKOS_FUNCTION void barrier_of() const
  {
    static_assert(N == warp, "a warp is what waits without the block's others");
#if defined(__CUDA_ARCH__)
    __syncwarp();
#endif
  }
  KOKKOS_FUNCTION int before(int value) const
  {
    static_assert(is_warp, "sums over members before one are for teams of a warp");
    int upto = value;
    barrier_of<warp>();
#if defined(__CUDA_ARCH__)
    for (int distance = 1; distance < warp; distance *= 2) {
      int const lower = __shfl_up_sync(whole_warp, upto, distance);
      upto += rank() >= distance ? lower : 0;
    }
#endif
    return upto - value;
  }
  KOKKOS_FUNCTION bool any(bool mine) const
  {
#if defined(__CUDA_ARCH__)
    return is_warp ? __any_sync(whole_warp, mine) != 0 : __syncthreads_or(mine ? 1 : 0) != 0;
#else
    return mine;
#endif
  }
  KOKKOS_FUNCTION int count(bool mine) const
  {
#if defined(__CUDA_ARCH__)
    return is_warp ? __popc(__ballot_sync(whole_warp, mine)) : __syncthreads_count(mine);
#else
    return mine ? 1 : 0;
#endif
  }
  KOKKOS_FUNCTION std::uint32_t ballot(bool mine) const
  {
    static_assert(is_warp, "a ballot has a bit for each member of a warp");
#if defined(__CUDA_ARCH__)
    return __ballot_sync(whole_warp, mine);
#else
    return mine ? 1 : 0;
#endif
  }
  KOKKOS_FUNCTION void barrier() const
  {
#if defined(__CUDA_ARCH__)
    if constexpr (is_warp) // whether or not it shares its block
      __syncwarp();
    else
      __syncthreads();
#endif
  }

protected:
  static KOKKOS_FUNCTION int thread()
  {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }

private:
  static constexpr int warp = cuda_warp;
  static constexpr unsigned whole_warp = 0xffffffffU;
  static constexpr bool is_warp = Members == warp;
  static_assert(Members % warp == 0, "a team is whole warps");
  static_assert(Packed == 1 || is_warp, "one block's teams wait for each other at barriers");

  /// The value of the member whose lane number differs in the bits of the mask.
  template <class T>
  static KOKKOS_FUNCTION T of_neighbour(T value, [[maybe_unused]] int bits)
  {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(whole_warp, value, bits);
#else
    return value;
#endif
  }

  index_t index_;
};

/// A team with scratch memory of its own.
template <int Members, int Packed, std::size_t ScratchBytes>
class CudaTeam : public CudaMembers<Members, Packed>
{
public:
  using CudaMembers<Members, Packed>::CudaMembers;
  KOKKOS_FUNCTION void* scratch() const
  {
#if defined(__CUDA_ARCH__)
    if constexpr (asked_scratch_bytes(ScratchBytes) > 0) {
      return static_cast<std::byte*>(asked_scratch()) +
             (Packed == 1 ? 0 : this->thread() / Members * ScratchBytes);
    } else {
      __shared__ alignas(16) std::byte memory[Packed][ScratchBytes];
      return memory[Packed == 1 ? 0 : this->thread() / Members];
    }
#else
    return nullptr;
#endif
  }

private:
  static_assert(ScratchBytes % 16 == 0 || Packed == 1, "scratch memory is aligned to 16 bytes");
};

template <class Kernel, int Members, int Packed, unsigned AtOnce, std::size_t ScratchBytes>
static __global__ void __launch_bounds__(Members* Packed, AtOnce)
    cuda_teams(STRATA_KEPT_PARAMETER Kernel const kernel, [[maybe_unused]] int teams)
{
  nvidia::await_last_launch();
  index_t index = blockIdx.x;
  if constexpr (Packed > 1) {
    index = index * Packed + threadIdx.x / Members;
    if (index >= teams)
      return;
  }
  kernel(CudaTeam<Members, Packed, ScratchBytes>(index));
}

/// The compute capability, times 10, that a kernel must have been compiled for.
template <class Kernel>
inline constexpr int compute_capability = 0;
template <class Kernel>
  requires(Kernel::compute_capability > 0)
inline constexpr int compute_capability<Kernel> = Kernel::compute_capability;

/// Allows the kernel of this source the shared memory that it needs; false where the device has
/// less, or where the kernel was compiled for other devices.
template <class Kernel, int Members, int Packed, unsigned AtOnce, std::size_t ScratchBytes>
static bool allows_cuda_teams()
{
  static bool const allows = [] {
    auto const* const kernel = reinterpret_cast<void const*>(
        cuda_teams<Kernel, Members, Packed, AtOnce, ScratchBytes>);
    cudaSetDevice(Kokkos::Cuda().cuda_device()); // this may not be the thread that chose it
    cudaFuncAttributes compiled{};
    bool const all = cudaFuncGetAttributes(&compiled, kernel) == cudaSuccess &&
                     compiled.ptxVersion >= compute_capability<Kernel> &&
                     cudaFuncSetAttribute(
                         kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(asked_scratch_bytes(ScratchBytes))) == cudaSuccess;
    if (!all)
      cudaGetLastError(); // which no later check is to find
    return all;
  }();
  return allows;
}

/// Whether a multiprocessor holds AtOnce blocks of the kernel at once.
template <class Kernel, int Members, int Packed, unsigned AtOnce, std::size_t ScratchBytes>
static bool holds_cuda_teams()
{
  static bool const holds = [] {
    int blocks = 0;
    cudaSetDevice(Kokkos::Cuda().cuda_device());
    bool const told = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                          &blocks, cuda_teams<Kernel, Members, Packed, AtOnce, ScratchBytes>,
                          Members * Packed, asked_scratch_bytes(ScratchBytes)) == cudaSuccess;
    if (!told)
      cudaGetLastError(); // which no later check is to find
    return told && blocks >= static_cast<int>(AtOnce);
  }();
  return holds;
}

/// Launches `kernel` for `teams` teams, of which a block holds Packed and a multiprocessor
/// AtOnce blocks.
template <int Members, int Packed, unsigned AtOnce, std::size_t ScratchBytes, class Kernel>
void launch_cuda_teams(char const* label, int teams, Kernel const& kernel)
{
  if constexpr (asked_scratch_bytes(ScratchBytes) > 0)
    require(allows_cuda_teams<Kernel, Members, Packed, AtOnce, ScratchBytes>(),
            "%s: this device runs no such teams", label);
  CudaLaunch const launch(label);
  ensure_cuda_locks();
  launch(cuda_teams<Kernel, Members, Packed, AtOnce, ScratchBytes>,
         (static_cast<index_t>(teams) + Packed - 1) / Packed, Members * Packed,
         asked_scratch_bytes(ScratchBytes), kernel, teams);
}

} // namespace strata::detail

#endif
