#pragma once

#include "base/kokkos.hpp"
#include "kernels.hpp"

// The hand-indexed control: raw pointers and the device's own language. Only the arithmetic of
// one element is shared with the other variants.

namespace strata::hexgrad::native {

/// Elements that a host's hand-written loop keeps side by side, as LayoutTiled<8> does.
inline constexpr int tile = 8;

/// Why there is no native variant on this device; empty where there is one.
inline char const* unavailable()
{
  return device_is_host || device_is_cuda ? "" : "no hand-written kernel for this device";
}

/// Gradients of `count` elements. On an NVIDIA GPU value (e, d, n) is at e + count·(8 d + n);
/// on a host at (e/8·24 + 8 d + n)·8 + e%8. May return before it has finished.
void run(double const* coordinates, double* gradients, index_t count);

} // namespace strata::hexgrad::native
