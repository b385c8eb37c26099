#pragma once

#include "kernels.hpp"

#include "base/kokkos.hpp"

// The hand-indexed control: raw pointers and the device's own language. Only the arithmetic of
// one element is shared with the other variants.

namespace strata::hexgrad::native {

/// Elements side by side in memory, as in LayoutTiled<tile>.
inline constexpr int tile = device_is_host ? 8 : 32;

/// Gradients of `count` elements: value (e, d, n) is at (e/tile·24 + 8 d + n)·tile + e%tile,
/// the last tile padded. May return before it has finished.
void run(double const* coordinates, double* gradients, index_t count);

} // namespace strata::hexgrad::native
