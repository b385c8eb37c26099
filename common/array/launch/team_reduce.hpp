#pragma once

#include "device_loop.hpp"
#include "team.hpp"

#include "../../base/kokkos.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

// A reduction to one number on an NVIDIA GPU by teams, in one launch: the host makes it in two
// thirds of the time that Kokkos' own takes (H100, when teams were Kokkos', too: 4.2 us, 5.9),
// and its last steps are shorter.

namespace strata::detail {

/// Whether Execution reduces to a Sum by teams.
template <class Execution, class Sum>
inline constexpr bool reduces_by_teams = false;
#if defined(KOKKOS_ENABLE_CUDA)
template <class Sum>
inline constexpr bool reduces_by_teams<Kokkos::Cuda, Sum> =
    std::is_arithmetic_v<Sum> && sizeof(Sum) <= sizeof(double);
#endif

/// Steps of a team's thread, at least, where one team suffices for so many: fewer teams share a
/// sum then.
inline constexpr index_t least_steps = 4;

/// Memory of the device for the sums of a launch's teams, and their ticket, which is 0 between
/// launches. Kokkos' finalize frees it.
template <class Execution>
class TeamSumMemory
{
public:
  explicit TeamSumMemory(index_t teams)
      : memory_(Kokkos::kokkos_malloc<typename Execution::memory_space>(
            "strata::TeamSumMemory", sizeof(double) * static_cast<std::size_t>(teams + 1)))
  {
    Kokkos::View<unsigned, typename Execution::memory_space, Kokkos::MemoryUnmanaged> const to(
        ticket());
    Kokkos::deep_copy(to, 0U);
    Kokkos::push_finalize_hook(
        [memory = memory_] { Kokkos::kokkos_free<typename Execution::memory_space>(memory); });
  }
  [[nodiscard]] unsigned* ticket() const { return static_cast<unsigned*>(memory_); }
  template <class Sum>
  [[nodiscard]] Sum* sums() const
  {
    return reinterpret_cast<Sum*>(static_cast<double*>(memory_) + 1);
  }

private:
  void* memory_;
};

/// Loop is a DeviceReduce. The last team adds the sums of all, in the order of their numbers.
template <class Loop>
struct TeamReduce
{
  using Sum = typename Loop::value_type;
  static constexpr int members = Loop::block;
  static constexpr unsigned teams_at_once = Loop::blocks_at_once;

  char const* label;
  Loop loop;
  int teams;
  Sum* sums;
  unsigned* ticket;
  Sum* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Sum sum{};
    index_t const item = team.index() * members + team.rank();
    if (item < loop.items())
      loop(item, sum);
    sum = team.sum(sum);
    if (teams > 1) {
      if (team.rank() == 0)
        sums[team.index()] = sum;
      if (!is_last(team))
        return;
      sum = {};
      for (int k = team.rank(); k < teams; k += members)
        sum += atomic_load(sums + k);
      sum = team.sum(sum);
    }
    if (team.rank() == 0)
      *result = sum;
  }

private:
  /// Whether all other teams have stored their sums, which this one sees then.
  template <class Team>
  KOKKOS_FUNCTION bool is_last(Team const& team) const
  {
    bool last = false;
    if (team.rank() == 0) {
      Kokkos::memory_fence(); // the team's sum before the ticket
      last = Kokkos::atomic_fetch_add(ticket, 1U) + 1 == static_cast<unsigned>(teams);
      if (last)
        *ticket = 0;
    }
    last = team.any(last);
    Kokkos::memory_fence();
    return last;
  }
};

/// Launches the loop; `result` lies in the device's memory.
template <class Execution, class Loop, class Label>
void reduce_by_teams(Label const& label, Loop const& loop, typename Loop::value_type* result)
{
  using Kernel = TeamReduce<Loop>;
  // A DeviceReduce has a thread for each that its blocks_at_once have, at most.
  static TeamSumMemory<Execution> const memory(std::max<index_t>(
      1, Execution().concurrency() / multiprocessor_items * Kernel::teams_at_once));
  auto const teams = static_cast<int>((loop.items() + Kernel::members - 1) / Kernel::members);
  for_each_team<Kernel::members, Execution>(
      teams, Kernel{label, loop, teams, memory.template sums<typename Loop::value_type>(),
                    memory.ticket(), result});
}

} // namespace strata::detail
