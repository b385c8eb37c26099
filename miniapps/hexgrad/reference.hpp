#pragma once

#include "kernels.hpp"

#include <array>

namespace strata::hexgrad {

using Nodal = std::array<std::array<double, nodes>, dims>; ///< [dim][node]

/// 12 ∫ ∂N_I/∂x_d over one element by 2x2x2 Gauss quadrature of the trilinear map, which is
/// exact and independent of the kernel's formula. Serial, on the host.
Nodal quadrature(Nodal const& coordinates);

} // namespace strata::hexgrad
