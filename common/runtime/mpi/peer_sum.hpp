#pragma once

#include "communicator.hpp"

#include "base/kokkos.hpp"
#include "runtime/node/gpu.hpp"
#include "runtime/node/peer_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strata::runtime {

/// Earlier stores of this thread are seen by other devices before later ones, and later loads
/// see what others stored before what earlier ones saw.
KOKKOS_FUNCTION inline void fence_between_devices()
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __threadfence_system();
#else
  Kokkos::memory_fence();
#endif
}

namespace detail {

template <class T>
struct Address
{
  T* at = nullptr;
};

/// One team; PeerSum says what it does.
struct PeerSumKernel
{
  int rank;
  int ranks;
  std::uint64_t launch; ///< counted from 1
  Address<double> const* numbers_of;
  Address<std::uint64_t> const* arrivals_of;
  double* values;
  index_t count;
  index_t room; ///< for the numbers of a rank

  /// Where in a rank's memory the numbers of another one are.
  [[nodiscard]] KOKKOS_FUNCTION index_t place(int of) const
  {
    return (static_cast<index_t>(launch % 2) * ranks + of) * room;
  }
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<Device>::member_type const& team) const
  {
    int const me = team.team_rank();
    int const size = team.team_size();
    for (int step = 1; step <= ranks; ++step) { // so that not all begin with one rank
      double* const to = numbers_of[(rank + step) % ranks].at + place(rank);
      for (index_t i = me; i < count; i += size)
        to[i] = values[i];
    }
    fence_between_devices();
    team.team_barrier();
    for (int other = me; other < ranks; other += size)
      *static_cast<std::uint64_t volatile*>(arrivals_of[other].at + rank) = launch;
    for (int other = me; other < ranks; other += size) {
      std::uint64_t const volatile* const arrived = arrivals_of[rank].at + other;
      while (*arrived < launch) {
      }
    }
    fence_between_devices();
    team.team_barrier();
    double const volatile* const mine = numbers_of[rank].at; // not what a cache has kept
    for (index_t i = me; i < count; i += size) {
      double sum = 0;
      for (int other = 0; other < ranks; ++other)
        sum += mine[place(other) + i];
      values[i] = sum;
    }
  }
};

} // namespace detail

/// Sums of few numbers over ranks that have a GPU each and see each other's memory. The hosts
/// take no part: one launch of a team writes the rank's numbers into every rank's memory, waits
/// for the others' and adds all up in the order of ranks, so that each has the same sum. What a
/// launch gets lies in the other half of the memory than what the one before got: no rank is
/// two launches ahead, since a launch ends when all ranks are in it.
class PeerSum
{
public:
  /// The most numbers of one sum.
  static constexpr index_t most = 4096;

  /// Whether each rank has a GPU of its own: launches that wait for each other on the same
  /// one would take turns of milliseconds. Not with HIP, where a launch need not see what
  /// another device stores meanwhile in memory that is not fine-grained. Collective.
  static bool is_possible(Communicator const& world)
  {
    if (!device_is_cuda)
      return false;
    auto ids = world.all_gather(gpu_pci_id());
    std::ranges::sort(ids);
    return !ids.front().empty() && std::ranges::adjacent_find(ids) == ids.end();
  }

  /// Collective. What is mapped stays in `memory` for as long as no more is opened than that
  /// keeps, which is why it should have nothing else.
  PeerSum(Communicator const& world, PeerMemory& memory)
      : rank_(world.rank())
      , ranks_(world.ranks())
      , numbers_("strata::runtime::PeerSum::numbers",
                 static_cast<std::size_t>(2 * most * ranks_))
      , arrivals_("strata::runtime::PeerSum::arrivals", static_cast<std::size_t>(ranks_))
      , numbers_of_("strata::runtime::PeerSum::numbers_of", static_cast<std::size_t>(ranks_))
      , arrivals_of_("strata::runtime::PeerSum::arrivals_of", static_cast<std::size_t>(ranks_))
  {
    Kokkos::fence(); // all are 0
    auto const tickets = world.all_gather(
        std::vector{memory.ticket(numbers_.data()), memory.ticket(arrivals_.data())});
    auto const numbers = Kokkos::create_mirror_view(HostSpace(), numbers_of_);
    auto const arrivals = Kokkos::create_mirror_view(HostSpace(), arrivals_of_);
    for (int rank = 0; rank < ranks_; ++rank) {
      auto const seen = [&](std::size_t which, void* mine) {
        return rank == rank_ ? mine : memory.open(rank, tickets.from(rank)[which]);
      };
      auto const at = static_cast<std::size_t>(rank);
      numbers(at).at = static_cast<double*>(seen(0, numbers_.data()));
      arrivals(at).at = static_cast<std::uint64_t*>(seen(1, arrivals_.data()));
    }
    Kokkos::deep_copy(numbers_of_, numbers);
    Kokkos::deep_copy(arrivals_of_, arrivals);
    Kokkos::fence();
    world.barrier();
  }

  /// values[0, count) = their sum over all ranks; queued among the device's launches. All ranks
  /// must launch it, in the same order as other sums.
  void launch(double* values, index_t count)
  {
    constexpr index_t warp = 32;
    constexpr index_t largest_team = 512;
    auto const team = std::clamp((count + warp - 1) / warp * warp, warp, largest_team);
    Kokkos::parallel_for("strata::runtime::PeerSum", Policy(1, static_cast<int>(team)),
                         detail::PeerSumKernel{rank_, ranks_, ++launches_, numbers_of_.data(),
                                               arrivals_of_.data(), values, count, most});
  }

private:
  using Policy = Kokkos::TeamPolicy<Device>;
  int rank_;
  int ranks_;
  std::uint64_t launches_ = 0;
  Kokkos::View<double*, DeviceSpace> numbers_;         // two halves, of each rank `most`
  Kokkos::View<std::uint64_t*, DeviceSpace> arrivals_; // each rank's last launch
  Kokkos::View<detail::Address<double>*, DeviceSpace> numbers_of_; // of each rank, as seen here
  Kokkos::View<detail::Address<std::uint64_t>*, DeviceSpace> arrivals_of_;
};

} // namespace strata::runtime
