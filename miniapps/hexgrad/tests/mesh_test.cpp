#include "element_trial.hpp"
#include "mesh.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace strata::hexgrad {

namespace {

/// The x of all nodes, then their y and z.
std::vector<double> flat_coordinates(Mesh const& mesh, index_t element)
{
  double x[dims][nodes];
  mesh.coordinates(element, x);
  return {&x[0][0], &x[0][0] + dims * nodes};
}

TEST(Mesh, OfABrickSharesItsNodes)
{
  Mesh const mesh{MeshKind::brick, 3, 1};
  std::set<index_t> numbers;
  for (index_t e = 0; e < 27; ++e) {
    double x[dims][nodes];
    mesh.coordinates(e, x);
    for (int n = 0; n < nodes; ++n) {
      index_t const number = mesh.node_number(e, n);
      numbers.insert(number);
      for (int d = 0; d < dims; ++d)
        EXPECT_EQ(x[d][n], mesh.node_coordinate(number, d));
    }
  }
  EXPECT_EQ(numbers.size(), 64U);
  EXPECT_EQ(*numbers.rbegin(), 63);
  EXPECT_EQ(mesh.node_number(0, 6), mesh.node_number(13, 0));
}

TEST(Mesh, NumbersNodesCounterClockwiseBottomFirst)
{
  constexpr int expected[nodes][dims] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < dims; ++d)
      EXPECT_EQ(Mesh::corner(n, d), expected[n][d]);
}

TEST(Mesh, HasNoTwoElementsAlike)
{
  for (auto const kind : {MeshKind::brick, MeshKind::affine, MeshKind::random}) {
    Mesh const mesh{kind, 10, 1};
    std::set<std::vector<double>> shapes; // coordinates from the first node on
    for (index_t e = 0; e < 1000; ++e) {
      double x[dims][nodes];
      mesh.coordinates(e, x);
      std::vector<double> shape;
      for (auto const& along : x)
        for (int n = 1; n < nodes; ++n)
          shape.push_back(along[n] - along[0]);
      shapes.insert(shape);
    }
    EXPECT_EQ(shapes.size(), 1000U);
  }
}

TEST(Mesh, DependsOnItsSeed)
{
  for (auto const kind : {MeshKind::brick, MeshKind::affine, MeshKind::random}) {
    EXPECT_NE(flat_coordinates({kind, 4, 1}, 9), flat_coordinates({kind, 4, 2}, 9));
    EXPECT_EQ(flat_coordinates({kind, 4, 1}, 9), flat_coordinates({kind, 4, 1}, 9));
  }
}

/// Where bfloat16 has every second grid point, or fewer.
template <class T>
void expect_elements_of_some_size()
{
  Mesh mesh;
  mesh.edge = 600;
  for (index_t element = 300; element < 300 * 600 * 600; element += 599 * 601) {
    T x[dims][nodes];
    stored_coordinates(mesh, element, x);
    double exact[dims][nodes];
    mesh.coordinates(element, exact);
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        EXPECT_NEAR(x[d][n] - x[d][0], exact[d][n] - exact[d][0], 0.02) << element;
  }
}

TEST(HexgradMesh, KeepsTheSizeOfElementsInNarrowCoordinates)
{
  expect_elements_of_some_size<float16>();
  expect_elements_of_some_size<bfloat16>();
  expect_elements_of_some_size<float>();
}

} // namespace

} // namespace strata::hexgrad
