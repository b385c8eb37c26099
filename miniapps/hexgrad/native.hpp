#pragma once

#include "kernels.hpp"

#include "base/kokkos.hpp"

// The hand-written control: raw pointers, OpenMP or CUDA. It shares only the arithmetic of one
// element with the other variants.

namespace strata::hexgrad::native {

/// Elements of a tile, as in LayoutTiled<tile>.
inline constexpr int tile = device_is_host ? 8 : 32;

/// How gradients are stored.
enum class Stores
{
  plain,
  streaming ///< past the caches; plain where no such store is known or addresses do not allow
            ///< it
};

/// Gradients of `count` elements: value (e, d, n) is at (e/tile·24 + 8 d + n)·tile + e%tile,
/// the last tile padded. May return before the device has finished.
void run_tiles(double const* coordinates, double* gradients, index_t count, Stores stores);

/// The same where value (e, d, n) is at (3 n + d)·count + e, as in LayoutLeft.
void run_columns(double const* coordinates, double* gradients, index_t count, Stores stores);

} // namespace strata::hexgrad::native
