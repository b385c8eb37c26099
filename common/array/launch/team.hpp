#pragma once

#include "cuda_team.hpp"
#include "device_team.hpp"
#include "for_each.hpp"

#include "../../base/kokkos.hpp"
#include "../layout/require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace strata {

// Launches of teams, for loops with outer iterations that are too few or too long for one work
// item each: a row, a tile. A kernel is a named functor, `operator()(Team const&)`, called by
// every member of a team: on a GPU a team is a block of threads, on a host one thread.
//   team.index()       number of the team in the launch
//   team.rank(), size  number of this member, and of members; size is static
//   team.sum(value)    sum over the members, returned to each; of an array: each value in place
//   team.sum_of<N>(v)  sum over the member's group of N consecutive members, returned to each;
//                      only if `team_has_groups`; N is a power of two, at most 32
//   team.sums_of<N>(v) the same for an array of R values, R a power of two, at most N: each
//                      member gets the sum of v[rank % R]; overwrites the array
//   team.value_of<N>(v, m)  the value of member m of the member's group of N, 32 or on a host
//                      1, returned to each of the group; other groups need not call it; only
//                      if `team_has_groups`
//   team.barrier_of<N>()  barrier over that group
//   team.before(n)     sum of an int over the members before this one; of teams of 32 or on a
//                      host 1
//   team.any(bool)     whether it is true for any member, returned to each
//   team.count(bool)   for how many members it is true, returned to each
//   team.ballot(bool)  a bit for each member, set where it is true, member 0's the lowest;
//                      returned to each; of teams of 32 or on a host 1
//   team.barrier()     barrier over the members
//   team.scratch()     Kernel::scratch_bytes (0 if absent) of memory that the members share;
//                      aligned to a cache line on a host, to 16 bytes on a GPU; call it once;
//                      scratch.hpp has it as spans; of more than 48 KiB only on a host and
//                      where `runs_as_teams`

namespace detail {

template <class Kernel>
inline constexpr std::size_t scratch_bytes = 0;
template <class Kernel>
  requires(Kernel::scratch_bytes > 0)
inline constexpr std::size_t scratch_bytes<Kernel> = Kernel::scratch_bytes;

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
  template <int N, class T>
  static T value_of(T value, int)
  {
    return value;
  }
  template <int N>
  static void barrier_of()
  {
  }
  static int before(int) { return 0; }
  static bool any(bool mine) { return mine; }
  static int count(bool mine) { return mine ? 1 : 0; }
  static std::uint32_t ballot(bool mine) { return mine ? 1 : 0; }
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

template <class Kernel, class Member, int Members>
struct DeviceTeams
{
  Kernel kernel;

  KOKKOS_FUNCTION void operator()(Member const& member) const
  {
    kernel(DeviceTeam<Member, Members>(member, scratch_bytes<Kernel>));
  }
};

/// Number of one-warp teams that share a block of an NVIDIA GPU if they need little shared
/// memory: a multiprocessor holds 32 blocks, half of the warps that it can.
template <class Kernel, int Members>
inline constexpr int packed_teams = Members == 32 && scratch_bytes<Kernel> <= 2048 ? 4 : 1;
/// Blocks of such teams per multiprocessor.
template <class Kernel, int Members>
inline constexpr unsigned cuda_blocks_at_once =
    std::max(1U, teams_at_once<Kernel> / packed_teams<Kernel, Members>);

} // namespace detail

/// Number of teams that a GPU runs at once if the kernel declares `teams_at_once` and its
/// scratch memory fits: the size of a launch with teams that loop over tiles.
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

/// Whether this device has the scratch memory for which teams of Kernel ask, and the source was
/// compiled for the compute capability (times 10) that Kernel declares, if it does. Every GPU
/// has 48 KiB; more is had with CUDA alone.
template <int Members, class Kernel>
static bool runs_as_teams()
{
#if defined(KOKKOS_ENABLE_CUDA)
  return detail::allows_cuda_teams<Kernel, Members, detail::packed_teams<Kernel, Members>,
                                   detail::cuda_blocks_at_once<Kernel, Members>,
                                   detail::scratch_bytes<Kernel>>();
#else
  return device_is_host || detail::scratch_bytes<Kernel> <= detail::usual_scratch_bytes;
#endif
}

#if defined(KOKKOS_ENABLE_CUDA)
/// Whether a multiprocessor of this NVIDIA GPU also holds as many teams at once as Kernel
/// declares (`teams_at_once`) with all their scratch memory.
template <int Members, class Kernel>
static bool holds_its_teams()
{
  return runs_as_teams<Members, Kernel>() &&
         detail::holds_cuda_teams<Kernel, Members, detail::packed_teams<Kernel, Members>,
                                  detail::cuda_blocks_at_once<Kernel, Members>,
                                  detail::scratch_bytes<Kernel>>();
}
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
    Kokkos::parallel_for(detail::label_of(kernel), Policy(0, loop.parts()), loop.call());
  } else {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::launch_cuda_teams<Members, detail::packed_teams<Kernel, Members>,
                              detail::cuda_blocks_at_once<Kernel, Members>,
                              detail::scratch_bytes<Kernel>>(detail::label_of(kernel),
                                                             static_cast<int>(teams), kernel);
#else
    using Policy =
        Kokkos::TeamPolicy<Execution,
                           Kokkos::LaunchBounds<Members, detail::teams_at_once<Kernel>>>;
    Policy policy(static_cast<int>(teams), Members);
    if (detail::scratch_bytes<Kernel> > 0)
      policy.set_scratch_size(0,
                              Kokkos::PerTeam(static_cast<int>(detail::scratch_bytes<Kernel> +
                                                               detail::scratch_alignment)));
    Kokkos::parallel_for(
        detail::label_of(kernel), policy,
        detail::DeviceTeams<Kernel, typename Policy::member_type, Members>{kernel});
#endif
  }
}

} // namespace strata
