#pragma once

#include "kernels.hpp"

#include "base/kokkos.hpp"
#include "base/mix.hpp"
#include "base/types.hpp"

#include <cstdint>

namespace strata::hexgrad {

enum class MeshKind
{
  brick,
  affine,
  random
};

/// A mesh as a function of the element's number, so that any rank, layout or precision has the
/// same one. No two elements are alike.
///   brick   a grid of unit cubes whose nodes are displaced by up to 0.2 each way, hashed
///           from the global node number
///   affine  every element an affine image of the unit cube, hashed from its number
///   random  the eight nodes of every element displaced independently
struct Mesh
{
  MeshKind kind = MeshKind::brick;
  index_t edge = 1; ///< elements along each side of the brick
  std::uint64_t seed = 1;

  /// Offset of a node of the unit cube: the usual counter-clockwise numbering, bottom first.
  static KOKKOS_FUNCTION int corner(int node, int d)
  {
    return d == 2 ? node / 4 : d == 1 ? (node % 4) / 2 : ((node + 1) % 4) / 2;
  }

  /// Global number of a brick's node.
  KOKKOS_FUNCTION index_t node_number(index_t element, int node) const
  {
    index_t const place[] = {element % edge + corner(node, 0),
                             element / edge % edge + corner(node, 1),
                             element / (edge * edge) + corner(node, 2)};
    return number_at(place);
  }

  /// Coordinate d of a brick's node by its global number.
  KOKKOS_FUNCTION double node_coordinate(index_t number, int d) const
  {
    index_t const side = edge + 1;
    index_t const place[] = {number % side, number / side % side, number / (side * side)};
    return displaced(place[d], number, d);
  }

  /// All coordinates of an element.
  KOKKOS_FUNCTION void coordinates(index_t element, double (&x)[dims][nodes]) const
  {
    if (kind == MeshKind::brick) {
      index_t const low[] = {element % edge, element / edge % edge, element / (edge * edge)};
      for (int n = 0; n < nodes; ++n) {
        index_t const place[] = {low[0] + corner(n, 0), low[1] + corner(n, 1),
                                 low[2] + corner(n, 2)};
        index_t const number = number_at(place);
        for (int d = 0; d < dims; ++d)
          x[d][n] = displaced(place[d], number, d);
      }
      return;
    }
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        x[d][n] = coordinate_apart(element, d, n);
  }

private:
  /// Of an element that shares no nodes.
  [[nodiscard]] KOKKOS_FUNCTION double coordinate_apart(index_t element, int d, int node) const
  {
    double value = corner(node, d) + 0.3 * uniform(element, 100 + d);
    if (kind == MeshKind::random)
      return value + 0.4 * (uniform(element, 8 * d + node) - 0.5);
    for (int c = 0; c < dims; ++c)
      value += 0.25 * (uniform(element, 50 + 3 * d + c) - 0.5) * corner(node, c);
    return value;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t number_at(index_t const (&place)[dims]) const
  {
    return (place[2] * (edge + 1) + place[1]) * (edge + 1) + place[0];
  }
  KOKKOS_FUNCTION double displaced(index_t place, index_t number, int d) const
  {
    return static_cast<double>(place) + 0.4 * (uniform(number, d) - 0.5);
  }
  /// A number in [0, 1), hashed from seed, item and which.
  KOKKOS_FUNCTION double uniform(index_t item, int which) const
  {
    return mixed_to_unit(
        (static_cast<std::uint64_t>(item) * 128 + static_cast<std::uint64_t>(which)) ^
        (seed * golden_ratio));
  }
};

} // namespace strata::hexgrad
