#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
#include <cstdint>

namespace strata::detail {

/// Alignment in bytes of a GPU team's scratch: that of the widest access.
inline constexpr std::size_t scratch_alignment = 16;

/// Scratch memory that a team of any GPU has.
inline constexpr std::size_t usual_scratch_bytes = std::size_t{48} * 1024;

/// A team of Members threads, which Kokkos launches as one of its own, on a GPU that is not
/// NVIDIA's.
template <class Member, int Members>
class DeviceTeam
{
public:
  static constexpr int size = Members;

  KOKKOS_FUNCTION DeviceTeam(Member const& member, std::size_t scratch)
      : member_(member)
      , scratch_(scratch)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t index() const { return member_.league_rank(); }
  [[nodiscard]] KOKKOS_FUNCTION int rank() const { return member_.team_rank(); }
  template <class T>
  KOKKOS_FUNCTION T sum(T value) const
  {
    member_.team_reduce(Kokkos::Sum<T>(value));
    return value;
  }
  template <class T, int N>
  KOKKOS_FUNCTION void sum(T (&values)[N]) const
  {
    for (int n = 0; n < N; ++n)
      values[n] = sum(values[n]);
  }
  template <int N, class T>
  KOKKOS_FUNCTION T sum_of(T value) const
  {
    static_assert(N <= 32 && Members % N == 0, "a group's members are of one warp");
    for (int lane = N / 2; lane > 0; lane /= 2)
      value += of_neighbour(value, lane);
    return value;
  }
  /// The sums of the group's values, of which each member gets one.
  template <int N, class T, int R>
  KOKKOS_FUNCTION T sums_of(T (&values)[R]) const
  {
    static_assert(R <= N, "a member gets one sum");
    T mine{};
    for (int n = 0; n < R; ++n) {
      T const of_group = sum_of<N>(values[n]);
      if (rank() % R == n)
        mine = of_group;
    }
    return mine;
  }
  template <int N, class T>
  KOKKOS_FUNCTION T value_of(T value, [[maybe_unused]] int member) const
  {
#if defined(__HIP_DEVICE_COMPILE__)
    return __shfl(value, member, N);
#else
    return value; // on no device
#endif
  }
  /// A group is part of a wavefront, whose work items do everything together.
  template <int N>
  KOKKOS_FUNCTION void barrier_of() const
  {
#if defined(__HIP_DEVICE_COMPILE__)
    __threadfence_block();
#endif
  }
  KOKKOS_FUNCTION int before(int value) const { return member_.team_scan(value); }
  KOKKOS_FUNCTION bool any(bool mine) const { return count(mine) > 0; }
  KOKKOS_FUNCTION int count(bool mine) const { return sum(mine ? 1 : 0); }
  KOKKOS_FUNCTION std::uint32_t ballot(bool mine) const
  {
    static_assert(Members <= 32, "a ballot has a bit for each member");
    return sum(mine ? std::uint32_t{1} << rank() : 0U);
  }
  KOKKOS_FUNCTION void barrier() const { member_.team_barrier(); }
  KOKKOS_FUNCTION void* scratch() const
  {
    return member_.team_scratch(0).get_shmem_aligned(static_cast<std::ptrdiff_t>(scratch_),
                                                     scratch_alignment);
  }

private:
  /// The value of the member whose lane number differs in the bits of the mask (shuffle xor).
  template <class T>
  static KOKKOS_FUNCTION T of_neighbour(T value, [[maybe_unused]] int bits)
  {
#if defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(value, bits);
#else
    return value; // on no device
#endif
  }

  Member const& member_;
  std::size_t scratch_;
};

} // namespace strata::detail
