#pragma once

#include "kernels.hpp"

#include <array>

namespace strata::hexgrad {

using Nodal = std::array<std::array<double, nodes>, dims>; ///< [dim][node]

/// 12 ∫ ∂N_I/∂x_d over one element by 2x2x2 Gauss quadrature of the trilinear map, which is
/// exact: another way to the same answer than the kernel's. Serial, host.
Nodal quadrature(Nodal const& coordinates);

} // namespace strata::hexgrad
