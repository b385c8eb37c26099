#pragma once

namespace strata::runtime {

/// Tests on the device what every run relies on: that kernels get the arguments of their
/// launch, and that a fill, a copy and a reduction by Kokkos give known values. Takes
/// microseconds. Throws Error(Exit::placement) that names the versions where a result is wrong;
/// where a test crashes or hangs, ends the process with the same code and reason. To be called
/// after Kokkos is initialised.
void try_device();

} // namespace strata::runtime
