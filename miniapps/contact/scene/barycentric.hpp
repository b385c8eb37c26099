#pragma once

#include "base/kokkos.hpp"

#include <cmath>

namespace strata::contact {

/// The determinant of the matrix with columns a, b and, in three dimensions, c.
template <int Dim>
KOKKOS_FUNCTION inline double determinant(double const (&a)[3], double const (&b)[3],
                                          double const (&c)[3])
{
  if (Dim == 2)
    return a[0] * b[1] - a[1] * b[0];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// The smallest barycentric coordinate of a point in a simplex. `apart` is the point's position
/// and `corner` has the corners' positions, three numbers each, both relative to the element's
/// centre.
template <int Dim>
KOKKOS_FUNCTION inline double smallest_coordinate(double const (&apart)[3],
                                                  double const* corner)
{
  double edge[3][3] = {};
  double to[3] = {};
  for (int k = 0; k < Dim; ++k) {
    to[k] = apart[k] - corner[k];
    for (int e = 0; e < Dim; ++e)
      edge[e][k] = corner[3 * (e + 1) + k] - corner[k];
  }
  double const whole = determinant<Dim>(edge[0], edge[1], edge[2]);
  double first = whole;
  double smallest = HUGE_VAL;
  for (int e = 0; e < Dim; ++e) {
    double part = 0;
    if (e == 0)
      part = determinant<Dim>(to, edge[1], edge[2]);
    else if (e == 1)
      part = determinant<Dim>(edge[0], to, edge[2]);
    else
      part = determinant<Dim>(edge[0], edge[1], to);
    first -= part;
    smallest = fmin(smallest, part / whole);
  }
  return fmin(smallest, first / whole);
}

} // namespace strata::contact
