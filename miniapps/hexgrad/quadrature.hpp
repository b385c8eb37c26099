#pragma once

#include "mesh.hpp"

namespace strata::hexgrad {

namespace detail {

/// The node of the unit cube whose offset along d is `along`, and `b` and `c` along the two
/// axes that follow d cyclically.
KOKKOS_FUNCTION inline int node_at(int d, int along, int b, int c)
{
  int offset[dims] = {};
  offset[d] = along;
  offset[(d + 1) % dims] = b;
  offset[(d + 2) % dims] = c;
  return 4 * offset[2] + (offset[1] == 0 ? offset[0] : 3 - offset[0]);
}

/// Weight of one of the four edges along an axis at one of the two by two Gauss points of the
/// other axes: the product of two hat functions at ±1/√3. Edge and point have two bits each.
KOKKOS_FUNCTION inline double edge_weight(int edge, int point)
{
  constexpr double near = 0.78867513459481288225; // (1 + 1/√3) / 2
  constexpr double far = 1 - near;
  int const apart = edge ^ point;
  return ((apart & 1) != 0 ? far : near) * ((apart & 2) != 0 ? far : near);
}

} // namespace detail

/// 12 ∫ ∂N_n/∂x_d of one element by Gauss quadrature of two points along each axis, which is
/// exact for the trilinear map: Σ over the points of the cofactors of the Jacobian times
/// ∂N_n/∂ξ. It has no formula in common with the kernel's, and each element can be checked by
/// it: a derivative along an axis depends on the other two axes alone, so that each axis has
/// four tangents, not eight.
KOKKOS_FUNCTION inline void quadrature(double const (&x)[dims][nodes],
                                       double (&gradients)[dims][nodes])
{
  // tangent[a][p] = ∂x/∂ξ_a at point p of the other axes; the parent element is [-1, 1]³
  double tangent[dims][4][dims] = {};
  for (int a = 0; a < dims; ++a)
    for (int edge = 0; edge < 4; ++edge) {
      int const from = detail::node_at(a, 0, edge & 1, edge >> 1);
      int const to = detail::node_at(a, 1, edge & 1, edge >> 1);
      for (int p = 0; p < 4; ++p)
        for (int d = 0; d < dims; ++d)
          tangent[a][p][d] += detail::edge_weight(edge, p) * (x[d][to] - x[d][from]) / 2;
    }
  for (auto& of_dim : gradients)
    for (double& gradient : of_dim)
      gradient = 0;
  for (int a = 0; a < dims; ++a) {
    int const b = (a + 1) % dims;
    int const c = (a + 2) % dims;
    for (int p = 0; p < 4; ++p) {
      // The cofactors that belong to ξ_a, summed over the two points along a: ∂N/∂ξ_a is the
      // same at both. Points of b are numbered along c and a, those of c along a and b.
      int const at_b = p & 1;
      int const at_c = p >> 1;
      double sum[dims] = {};
      for (int at_a = 0; at_a < 2; ++at_a) {
        auto const& u = tangent[b][at_c + 2 * at_a];
        auto const& v = tangent[c][at_a + 2 * at_b];
        for (int d = 0; d < dims; ++d)
          sum[d] +=
              u[(d + 1) % dims] * v[(d + 2) % dims] - u[(d + 2) % dims] * v[(d + 1) % dims];
      }
      for (int edge = 0; edge < 4; ++edge) {
        double const weight = 12 * detail::edge_weight(edge, p) / 2;
        int const from = detail::node_at(a, 0, edge & 1, edge >> 1);
        int const to = detail::node_at(a, 1, edge & 1, edge >> 1);
        for (int d = 0; d < dims; ++d) {
          gradients[d][from] -= weight * sum[d];
          gradients[d][to] += weight * sum[d];
        }
      }
    }
  }
}

} // namespace strata::hexgrad
