#include "kernels.hpp"
#include "mesh.hpp"

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "measure/work.hpp"
#include "testing/counted.hpp"
#include "testing/touched.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace strata::hexgrad {

namespace {

using Real = testing::Counted<double>;
using testing::AccessTouched;
using testing::Operations;
using testing::Touches;
using E = Extents<index_t, dyn, dims, nodes>;
using Elements = Array<Real, E, LayoutTiled<8>, HostSpace>;
constexpr Mesh mesh{MeshKind::brick, 3, 1};
constexpr index_t count = 27;

/// Those of the mesh's first elements.
template <class Coordinates>
void set_coordinates(Coordinates const& coordinates, Mesh const& of)
{
  for (index_t e = 0; e < coordinates.extent(0); ++e) {
    double x[dims][nodes];
    of.coordinates(e, x);
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        coordinates(e, d, n) = static_cast<typename Coordinates::value_type>(x[d][n]);
  }
}

TEST(HexgradWork, OfOneElementIs318Operations)
{
  EXPECT_EQ(element_flops, 318);
  double x[dims][nodes];
  mesh.coordinates(5, x);
  Real y[nodes];
  Real z[nodes];
  for (int n = 0; n < nodes; ++n) {
    y[n] = x[1][n];
    z[n] = x[2][n];
  }
  Operations::restart();
  mean_gradient(y, z, [](int, Real) {});
  EXPECT_EQ(dims * Operations::additions(), 174);
  EXPECT_EQ(dims * Operations::products(), 144);
}

TEST(HexgradWork, OfBasisGradient)
{
  Elements const coordinates("strata::test::coordinates", E(count));
  Elements const gradients("strata::test::gradients", E(count));
  auto const in = coordinates.write();
  set_coordinates(in, mesh);
  auto const from = coordinates.read<AccessTouched>();
  auto const to = gradients.write<AccessTouched>();
  BasisGradient<decltype(from), decltype(to)> const kernel{from, to};
  Operations::restart();
  Touches::restart();
  for_each<Host>(count, kernel);
  Kokkos::fence();
  auto const claimed = work::of(kernel, count);
  EXPECT_EQ(Operations::additions(), 174 * count);
  EXPECT_EQ(Operations::products(), 144 * count);
  EXPECT_EQ(Operations::all(), claimed.flops);
  EXPECT_EQ(Touches::bytes_read(), claimed.bytes_read);
  EXPECT_EQ(Touches::bytes_written(), claimed.bytes_written);
}

/// Gradients of elements in rows, by packs of W of them, are those of one after another, but
/// for which product of a sum the compiler fuses.
template <class T, int W>
void expect_same_in_rows()
{
  constexpr Mesh larger{MeshKind::brick, 13, 1}; // packs of several threads, and a rest
  constexpr index_t elements = 2197;
  using InRows = Array<T, E, LayoutRight, HostSpace>;
  InRows const coordinates("strata::test::coordinates", E(elements));
  InRows const expected("strata::test::expected", E(elements));
  InRows const found("strata::test::found", E(elements));
  auto const in = coordinates.write();
  set_coordinates(in, larger);
  auto const from = coordinates.template read<>();
  auto const one = expected.write();
  auto const rows = found.template write<AccessStreaming>();
  for_each<Host>(elements, BasisGradient<decltype(from), decltype(one)>{from, one});
  for_each<Host>(elements, BasisGradientOfRows<decltype(from), decltype(rows)>{{from, rows}},
                 Packs<W>());
  Kokkos::fence();
  double const allowed = 200 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (index_t e = 0; e < elements; ++e)
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        ASSERT_NEAR(found(e, d, n), expected(e, d, n), allowed)
            << W << ": " << e << ' ' << d << ' ' << n;
}

TEST(HexgradKernels, OfRowsAreThoseOfElements)
{
  expect_same_in_rows<double, 2>();
  expect_same_in_rows<double, 4>();
  expect_same_in_rows<double, 8>();
  expect_same_in_rows<float, 4>();
  expect_same_in_rows<float, 8>();
}

TEST(HexgradWork, OfGatherGradientReadsEveryNodeOnce)
{
  using Nodes = Array<Real, Extents<index_t, dyn, dims>, LayoutRight, HostSpace>;
  using Connectivity =
      Array<std::int32_t, Extents<index_t, dyn, nodes>, LayoutRight, HostSpace>;
  index_t const node_count = 4 * 4 * 4;
  Nodes const coordinates("strata::test::nodes", Nodes::extents_type(node_count));
  Connectivity const connectivity("strata::test::connectivity",
                                  Connectivity::extents_type(count));
  Elements const gradients("strata::test::gradients", E(count));
  auto const x = coordinates.write();
  for (index_t node = 0; node < node_count; ++node)
    for (int d = 0; d < dims; ++d)
      x(node, d) = mesh.node_coordinate(node, d);
  auto const numbers = connectivity.write();
  for (index_t e = 0; e < count; ++e)
    for (int n = 0; n < nodes; ++n)
      numbers(e, n) = static_cast<std::int32_t>(mesh.node_number(e, n));
  auto const from = coordinates.read<AccessTouched>();
  auto const through = connectivity.read<AccessTouched>();
  auto const to = gradients.write<AccessTouched>();
  GatherGradient<decltype(from), decltype(through), decltype(to)> const kernel{from, through,
                                                                               to};
  Operations::restart();
  Touches::restart();
  for_each<Host>(count, kernel);
  Kokkos::fence();
  auto const claimed = work::of(kernel, count);
  EXPECT_EQ(Operations::all(), claimed.flops);
  EXPECT_EQ(Touches::bytes_read(), claimed.bytes_read);
  EXPECT_EQ(Touches::bytes_written(), claimed.bytes_written);
}

} // namespace

} // namespace strata::hexgrad
