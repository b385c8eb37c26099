#pragma once

#include "generators.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

// What the generators share: grids of cells and how cells are cut.

namespace strata::contact {

inline double product(Counts const& counts)
{
  return static_cast<double>(counts[0]) * static_cast<double>(counts[1]) *
         static_cast<double>(counts[2]);
}

/// The grid coordinates of cell `number`; cells are numbered x fastest.
inline Counts place_in(Counts const& counts, index_t number)
{
  return {number % counts[0], number / counts[0] % counts[1], number / counts[0] / counts[1]};
}

/// The largest n with n^dim ≤ count.
inline index_t root(index_t count, int dim)
{
  auto n = static_cast<index_t>(std::pow(static_cast<double>(count), 1.0 / dim)) + 1;
  auto const power = [dim](index_t base) {
    return std::pow(static_cast<double>(base), static_cast<double>(dim));
  };
  while (n > 0 && power(n) > static_cast<double>(count))
    --n;
  return n;
}

/// The number of ordered pairs of cells, equal ones included, whose coordinates differ by at
/// most one along every axis.
inline double near_cells(Counts const& counts)
{
  double all = 1;
  for (auto const n : counts)
    all *= static_cast<double>(3 * n - 2);
  return all;
}

/// How many simplices a square (cube) is cut into; each has the cell's bounding box.
inline index_t simplices_of_cell(int dim)
{
  return dim == 2 ? 2 : 6;
}

/// The corners of simplex `part` of a cell with that edge, centred at 0: a path along the axes
/// from the lowest corner to the highest. Each part takes the axes in another order. Volumes
/// are positive, as VTK requires.
inline Corners corners_of_part(int dim, index_t part, double edge)
{
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
  Corners corners;
  Vector at{};
  for (int k = 0; k < dim; ++k)
    at[static_cast<std::size_t>(k)] = -edge / 2;
  corners.offset[0] = at;
  for (int k = 0; k < dim; ++k) {
    at[static_cast<std::size_t>(orders[part][k])] += edge;
    corners.offset[static_cast<std::size_t>(k) + 1] = at;
  }
  bool const mirrored = part == 1 || part == 2 || part == 5; // an odd order
  if (mirrored)
    std::swap(corners.offset[static_cast<std::size_t>(dim) - 1],
              corners.offset[static_cast<std::size_t>(dim)]);
  return corners;
}

/// Half extents r along each axis that there is; spheres use the first.
inline Vector half_extents(int dim, double r)
{
  return {r, r, dim == 2 ? 0.0 : r};
}

} // namespace strata::contact
