#include "mesh.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace strata::hexgrad {

namespace {

TEST(Mesh, OfABrickSharesItsNodes)
{
  Mesh const mesh{MeshKind::brick, 3, 1};
  std::set<index_t> numbers;
  for (index_t e = 0; e < 27; ++e)
    for (int n = 0; n < nodes; ++n) {
      index_t const number = mesh.node_number(e, n);
      numbers.insert(number);
      for (int d = 0; d < dims; ++d)
        EXPECT_EQ(mesh.coordinate(e, d, n), mesh.node_coordinate(number, d));
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
      std::vector<double> shape;
      for (int d = 0; d < dims; ++d)
        for (int n = 1; n < nodes; ++n)
          shape.push_back(mesh.coordinate(e, d, n) - mesh.coordinate(e, d, 0));
      shapes.insert(shape);
    }
    EXPECT_EQ(shapes.size(), 1000U);
  }
}

TEST(Mesh, DependsOnItsSeed)
{
  for (auto const kind : {MeshKind::brick, MeshKind::affine, MeshKind::random}) {
    EXPECT_NE((Mesh{kind, 4, 1}.coordinate(9, 1, 5)), (Mesh{kind, 4, 2}.coordinate(9, 1, 5)));
    EXPECT_EQ((Mesh{kind, 4, 1}.coordinate(9, 1, 5)), (Mesh{kind, 4, 1}.coordinate(9, 1, 5)));
  }
}

} // namespace

} // namespace strata::hexgrad
