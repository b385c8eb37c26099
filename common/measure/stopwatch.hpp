#pragma once

#include "runtime/mpi/communicator.hpp"

#include <functional>

namespace strata::measure {

/// One sample: seconds per step, reduced over ranks. `max_s` is the time of the job, which is
/// as fast as its slowest rank.
struct Sample
{
  double max_s = 0, min_s = 0, mean_s = 0;
  int slowest_rank = 0; ///< that took max_s
};

/// Times `inner` steps between two fences of the device, after a barrier of all ranks.
/// Collective.
Sample take(runtime::Communicator const& ranks, int inner, std::function<void()> const& step);

/// Seconds of the clock that `take` reads, from some start.
double now();

/// Smallest step of the clock that `take` reads, in seconds; measured once per process.
double clock_resolution();

} // namespace strata::measure
