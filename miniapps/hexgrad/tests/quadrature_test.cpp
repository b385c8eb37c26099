#include "kernels.hpp"
#include "mesh.hpp"
#include "quadrature.hpp"

#include <gtest/gtest.h>

#include <array>

namespace strata::hexgrad {

namespace {

using Nodal = std::array<std::array<double, nodes>, dims>; ///< [dim][node]

Nodal quadrature(Nodal const& nodal)
{
  double x[dims][nodes];
  double gradients[dims][nodes];
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t n = 0; n < nodes; ++n)
      x[d][n] = nodal[d][n];
  hexgrad::quadrature(x, gradients);
  Nodal found{};
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t n = 0; n < nodes; ++n)
      found[d][n] = gradients[d][n];
  return found;
}

Nodal element_of(Mesh const& mesh, index_t element)
{
  double x[dims][nodes];
  mesh.coordinates(element, x);
  Nodal found{};
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t n = 0; n < nodes; ++n)
      found[d][n] = x[d][n];
  return found;
}

/// Σ over the nodes of x_i times the gradients g_j.
double moment(Nodal const& x, Nodal const& g, std::size_t i, std::size_t j)
{
  double sum = 0;
  for (std::size_t n = 0; n < nodes; ++n)
    sum += x[i][n] * g[j][n];
  return sum;
}

constexpr double tolerance = 1e-12;

TEST(HexgradQuadrature, IsExactOnTheUnitCube)
{
  Nodal cube{};
  for (int d = 0; d < dims; ++d)
    for (int n = 0; n < nodes; ++n)
      cube[static_cast<std::size_t>(d)][static_cast<std::size_t>(n)] = Mesh::corner(n, d);
  auto const gradients = quadrature(cube);
  // ∫ ∂N/∂x is a quarter each way: the face's area shared by its nodes.
  for (int d = 0; d < dims; ++d)
    for (int n = 0; n < nodes; ++n)
      EXPECT_NEAR(gradients[static_cast<std::size_t>(d)][static_cast<std::size_t>(n)],
                  Mesh::corner(n, d) == 1 ? 3 : -3, tolerance);
}

TEST(HexgradQuadrature, IsExactOnAffineHexes)
{
  Mesh const mesh{MeshKind::affine, 1, 7};
  for (index_t e = 0; e < 50; ++e) {
    auto const x = element_of(mesh, e);
    double edge[dims][dims]; // [along][component], from node 0 to 1, 3 and 4
    constexpr std::size_t ends[] = {1, 3, 4};
    for (std::size_t a = 0; a < dims; ++a)
      for (std::size_t d = 0; d < dims; ++d)
        edge[a][d] = x[d][ends[a]] - x[d][0];
    auto const gradients = quadrature(x);
    for (std::size_t d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n) {
        // 12 ∫ ∂N/∂x_d = 12 · Σ_a (area vector opposite to edge a)_d · (±1/4)
        double expected = 0;
        for (std::size_t a = 0; a < dims; ++a) {
          auto const& u = edge[(a + 1) % dims];
          auto const& v = edge[(a + 2) % dims];
          double const area =
              u[(d + 1) % dims] * v[(d + 2) % dims] - u[(d + 2) % dims] * v[(d + 1) % dims];
          expected += 3 * area * (2 * Mesh::corner(n, static_cast<int>(a)) - 1);
        }
        EXPECT_NEAR(gradients[d][static_cast<std::size_t>(n)], expected, tolerance);
      }
  }
}

TEST(HexgradQuadrature, KeepsItsIdentitiesOnDistortedHexes)
{
  for (auto const kind : {MeshKind::brick, MeshKind::affine, MeshKind::random})
    for (index_t e = 0; e < 60; ++e) {
      auto const x = element_of({kind, 4, 3}, e);
      auto const g = quadrature(x);
      double const volume12 = moment(x, g, 0, 0);
      EXPECT_GT(volume12, 1);
      for (std::size_t i = 0; i < dims; ++i) {
        double sum = 0;
        for (double const value : g[i])
          sum += value;
        EXPECT_NEAR(sum, 0, tolerance);
        for (std::size_t j = 0; j < dims; ++j)
          EXPECT_NEAR(moment(x, g, i, j), i == j ? volume12 : 0, 10 * tolerance * volume12);
      }
    }
}

TEST(HexgradQuadrature, AgreesWithTheKernelsFormula)
{
  for (auto const kind : {MeshKind::brick, MeshKind::affine, MeshKind::random})
    for (index_t e = 0; e < 60; ++e) {
      auto const x = element_of({kind, 4, 3}, e);
      auto const g = quadrature(x);
      for (std::size_t d = 0; d < dims; ++d) {
        double y[nodes];
        double z[nodes];
        for (std::size_t n = 0; n < nodes; ++n) {
          y[n] = x[(d + 1) % dims][n];
          z[n] = x[(d + 2) % dims][n];
        }
        mean_gradient(y, z, [&](int n, double value) {
          EXPECT_NEAR(value, g[d][static_cast<std::size_t>(n)], tolerance);
        });
      }
    }
}

} // namespace

} // namespace strata::hexgrad
