#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>

namespace strata::detail {

/// Alignment in bytes of a GPU team's scratch: that of the widest access.
inline constexpr std::size_t scratch_alignment = 16;

/// A team of Members threads of a GPU's block, which holds Packed such teams.
template <class Member, int Members, int Packed>
class DeviceTeam
{
public:
  static constexpr int size = Members;

  KOKKOS_FUNCTION DeviceTeam(Member const& member, index_t index, std::size_t scratch)
      : member_(member)
      , index_(index)
      , scratch_(scratch)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t index() const { return index_; }
  [[nodiscard]] KOKKOS_FUNCTION int rank() const
  {
    return Packed == 1 ? member_.team_rank() : member_.team_rank() % Members;
  }
  template <class T>
  KOKKOS_FUNCTION T sum(T value) const
  {
    T values[1] = {value};
    sum(values);
    return values[0];
  }
  /// Sums all values together. On an NVIDIA GPU by warp shuffles and two barriers, which take
  /// less time than Kokkos' team reductions.
  template <class T, int N>
  KOKKOS_FUNCTION void sum(T (&values)[N]) const
  {
#if defined(__CUDA_ARCH__)
    constexpr int warp = 32;
    constexpr int warps = Members / warp;
    static_assert(Members % warp == 0, "a team is whole warps");
    for (int lane = warp / 2; lane > 0; lane /= 2)
      for (int n = 0; n < N; ++n)
        values[n] += __shfl_xor_sync(0xffffffffU, values[n], lane);
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
#else
    for (int n = 0; n < N; ++n)
      member_.team_reduce(Kokkos::Sum<T>(values[n]));
#endif
  }
  template <int N, class T>
  KOKKOS_FUNCTION T sum_of(T value) const
  {
    static_assert(N <= 32 && Members % N == 0, "a group's members are of one warp");
    for (int lane = N / 2; lane > 0; lane /= 2)
      value += of_neighbour(value, lane);
    return value;
  }
  /// Members exchange halves of their values until each has one sum: R - 1 exchanges instead of
  /// R log2 R.
  template <int N, class T, int R>
  KOKKOS_FUNCTION T sums_of(T (&values)[R]) const
  {
    static_assert(R <= N && N <= 32 && Members % N == 0, "a group's members are of one warp");
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
  KOKKOS_FUNCTION void barrier() const
  {
#if defined(__CUDA_ARCH__)
    if constexpr (Members == 32) // one warp, whether or not it shares its block
      __syncwarp();
    else
#endif
      member_.team_barrier();
  }
  KOKKOS_FUNCTION void* scratch() const
  {
    void* const of_block = member_.team_scratch(0).get_shmem_aligned(
        static_cast<std::ptrdiff_t>(scratch_ * Packed), scratch_alignment);
    return static_cast<std::byte*>(of_block) + member_.team_rank() / Members * scratch_;
  }

private:
  /// The value of the member whose lane number differs in the bits of the mask (shuffle xor).
  template <class T>
  static KOKKOS_FUNCTION T of_neighbour(T value, [[maybe_unused]] int bits)
  {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(0xffffffffU, value, bits);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(value, bits);
#else
    return value; // on no device
#endif
  }

  Member const& member_;
  index_t index_;
  std::size_t scratch_;
};

} // namespace strata::detail
