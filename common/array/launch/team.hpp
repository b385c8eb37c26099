#pragma once

#include "for_each.hpp"

#include "../../base/kokkos.hpp"
#include "../layout/require.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>

namespace strata {

// Launches of teams, for loops whose outer iterations are too few or too long for one work item
// each: a row, a tile. A kernel is a named functor, `operator()(Team const&)`, written for a
// member of a team: on a GPU a team is a block of threads, on a host one thread.
//   team.index()       which team of the launch
//   team.rank(), size  which member of how many; size is static
//   team.sum(value)    over the members, for each of them; of an array: every value in place
//   team.sum_of<N>(v)  over the N neighbours that a member is one of, for each of them, where
//                      `team_has_groups`; N is a power of two, at most 32
//   team.sums_of<N>(v) the same of an array of R values, a power of two, at most N: for each
//                      member the sum of v[rank % R]; the array is lost
//   team.barrier()     members wait for one another
//   team.scratch()     Kernel::scratch_bytes (0 when not declared) that the members share, on a
//                      host's cache line of their own, on a GPU on a multiple of 16 bytes;
//                      to be asked for once

namespace detail {

template <class Kernel>
inline constexpr std::size_t scratch_bytes = 0;
template <class Kernel>
  requires(Kernel::scratch_bytes > 0)
inline constexpr std::size_t scratch_bytes<Kernel> = Kernel::scratch_bytes;

/// Alignment in bytes of a GPU team's scratch: that of the widest access.
inline constexpr std::size_t scratch_alignment = 16;

/// Resident teams per multiprocessor that a kernel asks for: the compiler limits registers
/// accordingly.
template <class Kernel>
inline constexpr unsigned teams_at_once = 1;
template <class Kernel>
  requires(Kernel::teams_at_once > 0)
inline constexpr unsigned teams_at_once<Kernel> = Kernel::teams_at_once;

/// A team of one thread.
class HostTeam
{
public:
  static constexpr int size = 1;

  HostTeam(index_t index, void* scratch)
      : index_(index)
      , scratch_(scratch)
  {
  }
  [[nodiscard]] index_t index() const { return index_; }
  static constexpr int rank() { return 0; }
  template <class T>
  static T sum(T value)
  {
    return value;
  }
  template <class T, int N>
  static void sum(T (&)[N])
  {
  }
  template <int N, class T>
  static T sum_of(T value)
  {
    return value;
  }
  template <int N, class T, int R>
  static T sums_of(T (&values)[R])
  {
    return values[0];
  }
  static void barrier() {}
  [[nodiscard]] void* scratch() const { return scratch_; }

private:
  index_t index_;
  void* scratch_;
};

/// Host: each thread runs an equal share of the teams.
template <class Kernel>
class HostTeams
{
public:
  HostTeams(index_t teams, Kernel const& kernel, index_t parts)
      : kernel_(kernel)
      , teams_(teams)
      , parts_(std::min(teams, parts))
  {
  }
  [[nodiscard]] index_t parts() const { return parts_; }
  [[nodiscard]] HostCall call() const
  {
    return {
        [](void const* loop, index_t part) { static_cast<HostTeams const*>(loop)->run(part); },
        this};
  }

private:
  void run(index_t part) const
  {
    Kernel const kernel = kernel_; // on this thread's stack, where no store aliases it
    auto const scratch = std::make_unique_for_overwrite<CacheLine[]>(
        (scratch_bytes<Kernel> + sizeof(CacheLine) - 1) / sizeof(CacheLine));
    index_t const end = first_of_part(teams_, part + 1, parts_);
    for (index_t team = first_of_part(teams_, part, parts_); team < end; ++team)
      kernel(HostTeam(team, scratch.get()));
  }

  struct alignas(64) CacheLine
  {
    std::byte bytes[64];
  };

  Kernel kernel_;
  index_t teams_;
  index_t parts_;
};

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
  /// Sums all values together. On an NVIDIA GPU it uses warp shuffles and two barriers: Kokkos'
  /// team reductions took a third of the time of a product with rows of 5,000.
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
    if constexpr (Members == 32) // which may have its block to itself or not
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

template <class Kernel, class Member, int Members, int Packed>
struct DeviceTeams
{
  Kernel kernel;
  index_t teams;

  KOKKOS_FUNCTION void operator()(Member const& member) const
  {
    index_t index = member.league_rank();
    if constexpr (Packed > 1) {
      index = index * Packed + member.team_rank() / Members;
      if (index >= teams)
        return;
    }
    kernel(DeviceTeam<Member, Members, Packed>(member, index, scratch_bytes<Kernel>));
  }
};

/// Number of one-warp teams that share a block of an NVIDIA GPU if they need little shared
/// memory. Each block reserves a kilobyte of it that Kokkos 4.6 leaves out when it computes
/// occupancy: its formula admits five of twelve blocks of one warp.
template <class Kernel, class Execution, int Members>
inline constexpr int packed_teams = 1;
#if defined(KOKKOS_ENABLE_CUDA)
template <class Kernel>
inline constexpr int packed_teams<Kernel, Kokkos::Cuda, 32> =
    scratch_bytes<Kernel> <= 2048 ? 4 : 1;
#endif

} // namespace detail

/// Teams of such kernels that a GPU runs at once, where they declare `teams_at_once` and have
/// the fast memory: what launches start whose teams go on from tile to tile.
template <class Kernel>
index_t teams_of_device()
{
  return std::max<index_t>(1, Device().concurrency() * detail::teams_at_once<Kernel> /
                                  detail::multiprocessor_items);
}

/// Whether members of a team can sum over neighbours among them.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
inline constexpr bool team_has_groups = true;
#else
inline constexpr bool team_has_groups = false;
#endif

/// Launches `kernel` for `teams` teams of Members threads each (a multiple of the width of a
/// GPU's warps; one thread on a host); returns before it has finished.
template <int Members, class Execution = Device, class Kernel>
void for_each_team(index_t teams, Kernel const& kernel)
{
  detail::require(teams <= std::numeric_limits<int>::max(), "more teams than one launch has");
  if (teams == 0)
    return;
  if constexpr (detail::runs_on_host<Execution>) {
    using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
    detail::HostTeams<Kernel> const loop(teams, kernel, Execution().concurrency());
    Kokkos::parallel_for(Kernel::name(), Policy(0, loop.parts()), loop.call());
  } else {
    constexpr int packed = detail::packed_teams<Kernel, Execution, Members>;
    constexpr unsigned at_once = detail::teams_at_once<Kernel>;
    using Policy = Kokkos::TeamPolicy<
        Execution,
        Kokkos::LaunchBounds<Members * packed, (at_once > packed ? at_once / packed : 1)>>;
    using Member = typename Policy::member_type;
    Policy policy(static_cast<int>((teams + packed - 1) / packed), Members * packed);
    if (detail::scratch_bytes<Kernel> > 0)
      policy.set_scratch_size(
          0, Kokkos::PerTeam(static_cast<int>(detail::scratch_bytes<Kernel> * packed +
                                              detail::scratch_alignment)));
    Kokkos::parallel_for(Kernel::name(), policy,
                         detail::DeviceTeams<Kernel, Member, Members, packed>{kernel, teams});
  }
}

} // namespace strata
