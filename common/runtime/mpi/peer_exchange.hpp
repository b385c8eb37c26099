#pragma once

#include "communicator.hpp"
#include "message.hpp"

#include "runtime/node/peer_memory.hpp"

#include <span>
#include <utility>
#include <vector>

namespace strata::runtime {

/// Communication of arrays in device memory by copies from the other ranks' memory, all of one
/// node: MPI carries only where the data lie and when they were copied. Every operation waits
/// for all earlier launches and has copied what it receives when it returns.
class PeerExchange
{
public:
  explicit PeerExchange(Communicator communicator);

  /// values[0, count) = their sum over all ranks, the same on each: a rank adds up its share
  /// of the numbers and copies the others' shares. Collective.
  void allreduce_sum(double* values, index_t count);

  /// `starts[r]` to `starts[r + 1]` of `all` is rank r's part, each rank's own there already.
  /// Collective.
  void allgatherv(double* all, std::vector<index_t> const& starts);

  /// As Exchange's.
  void exchange(std::span<Message const> sends, std::span<Message const> receives);

private:
  /// What each rank's `data` is seen as here; every rank's earlier launches are over.
  [[nodiscard]] std::vector<double*> see_all(double* data);
  /// Messages between this rank and itself, and the others.
  [[nodiscard]] std::pair<std::vector<Message>, std::vector<Message>>
  apart(std::span<Message const> messages) const;

  Communicator communicator_;
  PeerMemory memory_;
};

} // namespace strata::runtime
