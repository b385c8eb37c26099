#pragma once

namespace strata::runtime {

/// Tries on the device what every run takes for granted: that kernels are given the arguments
/// of their launch, and a fill, a copy and a reduction of Kokkos against known values. Takes
/// microseconds. Throws Error(Exit::placement) naming the versions where one is wrong; ends the
/// process with that code and reason where one crashes or hangs. After Kokkos is up.
void try_device();

} // namespace strata::runtime
