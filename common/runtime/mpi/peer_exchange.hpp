#pragma once

#include "communicator.hpp"
#include "message.hpp"
#include "peer_sum.hpp"

#include "runtime/node/peer_memory.hpp"

#include <optional>
#include <span>
#include <vector>

namespace strata::runtime {

/// Communication of arrays in device memory by copies from the other ranks' memory, all of one
/// node: MPI carries only where the data lie and when they were copied. Every operation but a
/// sum of few numbers waits for all earlier launches and has copied what it receives when it
/// returns.
class PeerExchange
{
public:
  explicit PeerExchange(Communicator communicator);

  /// Whether few numbers are summed by one launch, without the hosts (PeerSum).
  [[nodiscard]] bool sums_by_launch() const { return sums_by_launch_; }

  /// values[0, count) = their sum over all ranks, the same on each: few numbers by one launch;
  /// of more a rank adds up its share and copies the others' shares. Collective.
  void allreduce_sum(double* values, index_t count);

  /// `starts[r]` to `starts[r + 1]` of `all` is rank r's part, each rank's own there already.
  /// Collective.
  void allgatherv(double* all, std::vector<index_t> const& starts);

  /// As Exchange's, between different ranks.
  void exchange(std::span<Message const> sends, std::span<Message const> receives);

private:
  /// What each rank's `data` is seen as here; every rank's earlier launches are over.
  [[nodiscard]] std::vector<double*> see_all(double* data);
  Communicator communicator_;
  PeerMemory memory_;
  bool sums_by_launch_;
  PeerMemory memory_of_sums_;
  std::optional<PeerSum> sum_; ///< from the first sum of few numbers on
};

} // namespace strata::runtime
