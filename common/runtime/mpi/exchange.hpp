#pragma once

#include "communicator.hpp"
#include "gpu_aware.hpp"
#include "message.hpp"
#include "peer_exchange.hpp"

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace strata::runtime {

/// Communication of arrays in device memory: MPI gets the device pointers, or ranks copy from
/// each other's memory, or MPI gets host copies in pinned buffers that are kept and reused, as
/// GpuAware says. Among several ranks every operation waits for all earlier launches, but for
/// sums that are launches themselves (PeerSum). Later launches see its result; the host sees it
/// after a Kokkos::fence. All but the exchanges are collective.
class Exchange
{
public:
  Exchange(Communicator communicator, GpuAware const& gpu_aware);
  Exchange(Exchange const&) = delete;
  Exchange& operator=(Exchange const&) = delete;
  Exchange(Exchange&&) = delete;
  Exchange& operator=(Exchange&&) = delete;
  ~Exchange();

  /// values[0, count) = their sum over all ranks. On one rank it does nothing and does not
  /// wait.
  void allreduce_sum(double* values, index_t count);

  /// all = the values of all ranks in the order of ranks. `counts` has one entry per rank and
  /// is equal on all of them. `mine` may be its own part of `all`.
  void allgatherv(double const* mine, double* all, std::vector<index_t> const& counts);

  /// Sends and receives all messages; afterwards the sent buffers may be overwritten. The
  /// messages between two ranks match by their order and must have equal sizes.
  void exchange(std::span<Message const> sends, std::span<Message const> receives);

  /// The same with arrays that are freed soon, which other ranks' GPUs do not map: a driver may
  /// refuse what comes to lie where such an array was mapped.
  void exchange_once(std::span<Message const> sends, std::span<Message const> receives);

  /// Sums of fewer bytes are staged where copies go from device to device but launches may not
  /// wait for each other: one message and one wait are sooner there than two rounds of copies
  /// (two H100: 27 and 28 us at 16 KiB, 49 and 27 us at 64 KiB).
  static constexpr index_t least_peer_sum_bytes = index_t{32} << 10;

private:
  using Staging = Kokkos::View<double*, PinnedSpace>;
  using Messages = std::vector<Message>;

  /// What goes to another rank, and comes from one; the rank's own messages to itself are
  /// copied.
  [[nodiscard]] std::pair<Messages, Messages> between_ranks(std::span<Message const> sends,
                                                            std::span<Message const> receives);
  /// Between different ranks.
  void by_mpi(Messages const& sends, Messages const& receives);

  /// Host memory of at least `bytes`, kept for the next call.
  static double* reserve(Staging& staging, index_t bytes);

  Communicator communicator_;
  bool staged_; ///< where `peer_` does not do it
  std::optional<PeerExchange> peer_;
  Staging sending_ = null_view<Staging>();
  Staging receiving_ = null_view<Staging>();
};

} // namespace strata::runtime
