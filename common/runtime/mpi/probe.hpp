#pragma once

#include "communicator.hpp"

#include <string>

namespace strata::runtime {

/// Sends arrays in device memory around the ranks, one small enough to travel with its
/// envelope and one not, and sums one, with MPI given the device pointers; returns why that
/// failed, or an empty text, the same on every rank. Collective; Kokkos is up.
///
/// A library that crashes or hangs on a device pointer cannot be survived: a forked child
/// has no working MPI or GPU. So for the length of the probe fatal signals, and an alarm,
/// print which switch of the deck avoids it and end the job with Exit::placement.
std::string probe_device_exchange(Communicator const& world);

} // namespace strata::runtime
