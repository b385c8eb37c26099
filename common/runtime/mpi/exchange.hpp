#pragma once

#include "communicator.hpp"
#include "gpu_aware.hpp"

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <span>
#include <vector>

namespace strata::runtime {

/// A contiguous buffer in device memory that another rank sends or takes.
struct Message
{
  int rank = 0; ///< the other side
  void* data = nullptr;
  index_t bytes = 0;
};

/// Communication of arrays in device memory: MPI is given the device pointers, or pinned
/// host copies that are kept and reused, as GpuAware says. Every operation waits for what the
/// device was given before; its result is in place for what the device is given after it, for
/// which a host must wait by Kokkos::fence. All but `exchange` are collective.
class Exchange
{
public:
  Exchange(Communicator communicator, GpuAware const& gpu_aware);
  Exchange(Exchange const&) = delete;
  Exchange& operator=(Exchange const&) = delete;
  Exchange(Exchange&&) = delete;
  Exchange& operator=(Exchange&&) = delete;
  ~Exchange();

  /// values[0, count) = their sum over all ranks. On one rank nothing happens, and nothing is
  /// waited for.
  void allreduce_sum(double* values, index_t count);

  /// all = the ranks' numbers one rank after the other; `counts` has one entry per rank and
  /// is the same everywhere. `mine` may lie in its place within `all`.
  void allgatherv(double const* mine, double* all, std::vector<index_t> const& counts);

  /// Sends and receives all messages at once; what was sent may be overwritten. The messages
  /// between two ranks are matched by their order, and their sizes agree.
  void exchange(std::span<Message const> sends, std::span<Message const> receives);

private:
  using Staging = Kokkos::View<double*, PinnedSpace>;

  /// Host memory of at least `bytes`, kept for the next call.
  static double* reserve(Staging& staging, index_t bytes);

  Communicator communicator_;
  bool staged_;
  Staging sending_ = null_view<Staging>();
  Staging receiving_ = null_view<Staging>();
};

} // namespace strata::runtime
