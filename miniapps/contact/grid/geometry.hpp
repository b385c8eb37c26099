#pragma once

#include "lanes.hpp"

#include "base/kokkos.hpp"
#include "scene/barycentric.hpp"
#include "scene/objects.hpp"

#include <cmath>
#include <cstdint>

namespace strata::contact {

/// A power of two. Sums of its multiples are exact, whatever their order.
struct Quantum
{
  double size = 1;
  double per_unit = 1;

  /// The nearest multiple; never −0, which has other bits.
  KOKKOS_FUNCTION double rounded(double x) const { return rint(x * per_unit) * size + 0.0; }
};

/// The quanta of gaps. Gaps between simplices and points are barycentric coordinates, which
/// have no dimension; all others are lengths.
struct Quanta
{
  Quantum length;
  Quantum coordinate;

  /// Of which all gaps are multiples.
  [[nodiscard]] KOKKOS_FUNCTION Quantum const& finest() const
  {
    return length.size < coordinate.size ? length : coordinate;
  }
};

/// Positions and sizes of the objects in device memory, by index. Spheres have half[0] only.
/// Simplices have twelve numbers of corners and four of corners' points each, other shapes
/// none.
struct Geometry
{
  static constexpr index_t padding = lanes; ///< numbers that may be read behind the last

  double const* at[3] = {};
  double const* half[3] = {};
  std::int32_t const* order =
      nullptr;                  ///< local index where these are sorted by cell, else null
  index_t const* gid = nullptr; ///< by local index, as what follows
  index_t const* body = nullptr;
  double const* corner = nullptr;
  index_t const* point = nullptr;
  index_t elements = 0; ///< gids from there on are points
  double gap = 0;
  Quanta quanta;
  bool bonded = false; ///< bodies of several objects, or points, exist
  bool half_list = false;

  KOKKOS_FUNCTION index_t local(index_t i) const { return order == nullptr ? i : order[i]; }

  /// Whether j is an entry of row i, given that it is near enough; local indices.
  KOKKOS_FUNCTION bool counts(index_t i, index_t j) const
  {
    if (bonded && (body[i] == body[j] || body[j] < 0))
      return false;
    return !half_list || gid[j] > gid[i];
  }
  /// Whether counts(i, j) holds for all i and j.
  KOKKOS_FUNCTION bool counts_all() const { return !bonded && !half_list; }
};

// Tests of two objects by index. near(i, j) is the cheap part, which a host asks of several j
// at once: then j is a LaneIndex, and the answer is a mask for each lane.

/// Spheres and points: centres at most the radii and the gap apart.
struct TouchingSpheres
{
  static constexpr bool near_is_touch = true;
  Geometry in;

  /// The tests of one object, whatever its index is said to be, whose numbers are in registers.
  /// nvcc reads those of an index again after every entry that is stored, which for all that it
  /// knows has changed them.
  struct OfOne
  {
    Geometry const& in;
    double at[3];
    double radius;

    template <class J>
    KOKKOS_FUNCTION auto square(index_t, J j) const
    {
      auto const x = value(in.at[0], j) - at[0];
      auto const y = value(in.at[1], j) - at[1];
      auto const z = value(in.at[2], j) - at[2];
      return x * x + y * y + z * z;
    }
    template <class J>
    KOKKOS_FUNCTION auto near(index_t i, J j) const
    {
      auto const reach = radius + value(in.half[0], j) + in.gap;
      return square(i, j) <= reach * reach;
    }
    /// The radii are read before the root, which is a call for some numbers: behind it, nvcc
    /// reads again what near(i, j) has read.
    KOKKOS_FUNCTION double gap(index_t i, index_t j) const
    {
      double const radii = radius + in.half[0][j];
      return in.quanta.length.rounded(sqrt(square(i, j)) - radii);
    }
  };
  KOKKOS_FUNCTION OfOne of(index_t i) const
  {
    return {in, {in.at[0][i], in.at[1][i], in.at[2][i]}, in.half[0][i]};
  }

  template <class J>
  KOKKOS_FUNCTION auto square(index_t i, J j) const
  {
    return of(i).square(i, j);
  }
  template <class J>
  KOKKOS_FUNCTION auto near(index_t i, J j) const
  {
    return of(i).near(i, j);
  }
  KOKKOS_FUNCTION bool touch(index_t, index_t) const { return true; }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const { return of(i).gap(i, j); }
};

/// Boxes and points: along every axis at most the half extents and the gap apart.
struct TouchingBoxes
{
  static constexpr bool near_is_touch = true;
  Geometry in;

  /// separation(k, i, j) equals separation(k, j, i) bit for bit: a difference only changes its
  /// sign and a sum does not change when its terms are exchanged.
  template <class J>
  KOKKOS_FUNCTION auto separation(int k, index_t i, J j) const
  {
    return magnitude(value(in.at[k], j) - in.at[k][i]) - (in.half[k][i] + value(in.half[k], j));
  }
  template <class J>
  KOKKOS_FUNCTION auto near(index_t i, J j) const
  {
    auto const x = near_along(0, i, j);
    auto const y = near_along(1, i, j);
    auto const z = near_along(2, i, j);
    return x & y & z;
  }
  /// Whether the separation is at most the gap. A GPU compares the difference of either sign
  /// with the sum instead of its magnitude: the same test, and faster where rows are updated.
  template <class J>
  KOKKOS_FUNCTION auto near_along(int k, index_t i, J j) const
  {
    if constexpr (device_is_host)
      return separation(k, i, j) <= in.gap;
    else {
      auto const to = value(in.at[k], j) - in.at[k][i];
      auto const halves = in.half[k][i] + value(in.half[k], j);
      return (to - halves <= in.gap) & (-to - halves <= in.gap);
    }
  }
  KOKKOS_FUNCTION bool touch(index_t, index_t) const { return true; }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const
  {
    double largest = separation(0, i, j);
    for (int k = 1; k < 3; ++k)
      largest = fmax(largest, separation(k, i, j));
    return in.quanta.length.rounded(largest);
  }
};

/// Simplices by their bounding boxes; points where no barycentric coordinate is negative. These
/// are ratios of determinants, which are exact: a point that is near lies within 2^16 units of
/// the corners, whose own distances are below 2^15.
template <int Dim>
struct TouchingSimplices
{
  static constexpr bool near_is_touch = false; ///< not of points
  Geometry in;

  KOKKOS_FUNCTION TouchingBoxes boxes() const { return {in}; }
  template <class J>
  KOKKOS_FUNCTION auto near(index_t i, J j) const
  {
    return boxes().near(i, j);
  }

  /// The smallest barycentric coordinate of point j in element i.
  KOKKOS_FUNCTION double coordinate(index_t i, index_t j) const
  {
    double const apart[3] = {in.at[0][j] - in.at[0][i], in.at[1][j] - in.at[1][i],
                             in.at[2][j] - in.at[2][i]};
    return smallest_coordinate<Dim>(apart, in.corner + 12 * in.local(i));
  }
  KOKKOS_FUNCTION bool is_point(index_t local) const { return in.gid[local] >= in.elements; }
  KOKKOS_FUNCTION bool touch(index_t i, index_t j) const
  {
    index_t const other = in.local(j);
    if (!is_point(other))
      return true;
    for (int c = 0; c <= Dim; ++c)
      if (in.point[4 * in.local(i) + c] == in.gid[other])
        return false;
    return coordinate(i, j) >= 0;
  }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const
  {
    return is_point(in.local(j)) ? in.quanta.coordinate.rounded(coordinate(i, j))
                                 : boxes().gap(i, j);
  }
};

/// Calls f.operator()<Touch>() with the test for this shape.
template <class F>
void with_touch(Shape shape, int dim, F const& f)
{
  if (shape == Shape::sphere)
    f.template operator()<TouchingSpheres>();
  else if (shape == Shape::box)
    f.template operator()<TouchingBoxes>();
  else if (dim == 2)
    f.template operator()<TouchingSimplices<2>>();
  else
    f.template operator()<TouchingSimplices<3>>();
}

} // namespace strata::contact
