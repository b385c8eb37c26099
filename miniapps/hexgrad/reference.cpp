#include "reference.hpp"

#include "mesh.hpp"

#include <cmath>

namespace strata::hexgrad {

namespace {

using Matrix = std::array<std::array<double, dims>, dims>;

/// ∂N_I/∂ξ_d at a point of [-1,1]³.
Nodal parent_gradients(std::array<double, dims> const& point)
{
  Nodal gradient{};
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < dims; ++d) {
      double value = 0.125;
      for (int c = 0; c < dims; ++c) {
        double const side = 2.0 * Mesh::corner(n, c) - 1.0;
        value *= c == d ? side : 1.0 + side * point[static_cast<std::size_t>(c)];
      }
      gradient[static_cast<std::size_t>(d)][static_cast<std::size_t>(n)] = value;
    }
  return gradient;
}

/// Cofactors of J: det(J)·J⁻ᵀ, without a division.
Matrix cofactors(Matrix const& j)
{
  Matrix c{};
  for (std::size_t r = 0; r < dims; ++r)
    for (std::size_t s = 0; s < dims; ++s) {
      auto const r1 = (r + 1) % dims;
      auto const r2 = (r + 2) % dims;
      auto const s1 = (s + 1) % dims;
      auto const s2 = (s + 2) % dims;
      c[r][s] = j[r1][s1] * j[r2][s2] - j[r1][s2] * j[r2][s1];
    }
  return c;
}

} // namespace

Nodal quadrature(Nodal const& coordinates)
{
  double const at = 1.0 / std::sqrt(3.0);
  Nodal sum{};
  for (int q = 0; q < 8; ++q) {
    auto const parent = parent_gradients(
        {(q & 1) != 0 ? at : -at, (q & 2) != 0 ? at : -at, (q & 4) != 0 ? at : -at});
    Matrix jacobian{}; // [x][xi]
    for (std::size_t r = 0; r < dims; ++r)
      for (std::size_t s = 0; s < dims; ++s)
        for (std::size_t n = 0; n < nodes; ++n)
          jacobian[r][s] += coordinates[r][n] * parent[s][n];
    auto const adjugate = cofactors(jacobian);
    for (std::size_t r = 0; r < dims; ++r)
      for (std::size_t n = 0; n < nodes; ++n)
        for (std::size_t s = 0; s < dims; ++s)
          sum[r][n] += 12.0 * adjugate[r][s] * parent[s][n];
  }
  return sum;
}

} // namespace strata::hexgrad
