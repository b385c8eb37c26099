#pragma once

#include "communicator.hpp"

#include <string>

namespace strata::runtime {

/// Gives MPI device pointers: sends a small (eager) and a large message around the ranks, and
/// sums an array. Returns the reason of a failure, or an empty text, the same on every rank.
/// Collective; Kokkos must be initialised.
///
/// The process does not survive a library that crashes or hangs on a device pointer, and a
/// forked child would have no working MPI or GPU. During the probe, fatal signals and an alarm
/// therefore print the deck key that avoids it and end the job with Exit::placement.
std::string probe_device_exchange(Communicator const& world);

/// The same by PeerExchange, which one node's ranks can do; a rank alone has nothing to prove.
std::string probe_peer_exchange(Communicator const& world);

} // namespace strata::runtime
