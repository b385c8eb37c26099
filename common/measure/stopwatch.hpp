#pragma once

#include "runtime/mpi/communicator.hpp"

#include <functional>

namespace strata::measure {

/// One sample: seconds per step, over the ranks. `max_s` is the sample proper, since the job is
/// as fast as its slowest rank.
struct Sample
{
  double max_s = 0, min_s = 0, mean_s = 0;
};

/// Times `inner` steps between two fences of the device, all ranks starting together.
/// Collective.
Sample take(runtime::Communicator const& ranks, int inner, std::function<void()> const& step);

/// Smallest step of the clock that `take` reads, in seconds; measured once per process.
double clock_resolution();

} // namespace strata::measure
