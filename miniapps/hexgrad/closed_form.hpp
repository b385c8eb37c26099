#pragma once

#include "mesh.hpp"

namespace strata::hexgrad {

namespace detail {

/// sum += factor · (a × b)
KOKKOS_FUNCTION inline void add_cross(double (&sum)[dims], double factor,
                                      double const (&a)[dims], double const (&b)[dims])
{
  sum[0] += factor * (a[1] * b[2] - a[2] * b[1]);
  sum[1] += factor * (a[2] * b[0] - a[0] * b[2]);
  sum[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

/// The polynomials 1, ξ, η, ζ, ξη, ξζ, ηζ, ξηζ at a node of [-1, 1]³.
KOKKOS_FUNCTION inline int mode_at(int node, int mode)
{
  int const xi = 2 * Mesh::corner(node, 0) - 1;
  int const eta = 2 * Mesh::corner(node, 1) - 1;
  int const zeta = 2 * Mesh::corner(node, 2) - 1;
  int const values[] = {1, xi, eta, zeta, xi * eta, xi * zeta, eta * zeta, xi * eta * zeta};
  return values[mode];
}

} // namespace detail

/// 12 ∫ ∂N_n/∂x_d of one element, integrated in closed form: independent of the kernel's
/// formula and cheaper than the quadrature, so that every element can be checked.
///
/// With x = Σ a_m φ_m in the eight polynomials of mode_at, the cofactors of the Jacobian are
/// x_η × x_ζ, x_ζ × x_ξ and x_ξ × x_η, polynomials as well; G_m is the integral over the cube
/// of their products with ∂φ_m/∂ξ, ∂φ_m/∂η and ∂φ_m/∂ζ, in which odd powers vanish (∫1 = 8;
/// each square gives a factor 1/3). The gradient of node n is then 1/8 Σ φ_m(n) G_m.
KOKKOS_FUNCTION inline void closed_form(double const (&x)[dims][nodes],
                                        double (&gradients)[dims][nodes])
{
  double a[nodes][dims] = {};
  for (int m = 0; m < nodes; ++m)
    for (int n = 0; n < nodes; ++n)
      for (int d = 0; d < dims; ++d)
        a[m][d] += detail::mode_at(n, m) * (x[d][n] - x[d][0]) / 8;

  constexpr double one = 8;
  constexpr double third = one / 3;
  constexpr double ninth = one / 9;
  double g[nodes][dims] = {}; // g[0] and g[7] stay 0
  detail::add_cross(g[1], one, a[2], a[3]);
  detail::add_cross(g[1], third, a[4], a[5]);
  detail::add_cross(g[2], one, a[3], a[1]);
  detail::add_cross(g[2], third, a[6], a[4]);
  detail::add_cross(g[3], one, a[1], a[2]);
  detail::add_cross(g[3], third, a[5], a[6]);
  detail::add_cross(g[4], third, a[2], a[6]);
  detail::add_cross(g[4], ninth, a[4], a[7]);
  detail::add_cross(g[4], third, a[5], a[1]);
  detail::add_cross(g[4], ninth, a[7], a[4]);
  detail::add_cross(g[5], third, a[6], a[3]);
  detail::add_cross(g[5], ninth, a[7], a[5]);
  detail::add_cross(g[5], third, a[1], a[4]);
  detail::add_cross(g[5], ninth, a[5], a[7]);
  detail::add_cross(g[6], third, a[3], a[5]);
  detail::add_cross(g[6], ninth, a[6], a[7]);
  detail::add_cross(g[6], third, a[4], a[2]);
  detail::add_cross(g[6], ninth, a[7], a[6]);

  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < dims; ++d) {
      double sum = 0;
      for (int m = 1; m < nodes - 1; ++m)
        sum += detail::mode_at(n, m) * g[m][d];
      gradients[d][n] = 12 * sum / 8;
    }
}

} // namespace strata::hexgrad
