#pragma once

#include "geometry.hpp"

#include "array/access/access.hpp"

namespace strata::contact {

/// Position and radius of a sphere or a point in one aligned piece of memory: the neighbours of
/// a row are scattered, and one load from each costs less than four.
struct alignas(4 * sizeof(double)) Place
{
  double number[4]; ///< x, y, z, radius
};

struct GatherPlaces
{
  static constexpr char const* name() { return "strata::contact::GatherPlaces"; }
  Geometry in;
  Place* place;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    place[i] = {{in.at[0][i], in.at[1][i], in.at[2][i], in.half[0][i]}};
  }
};

/// TouchingSpheres by places.
struct TouchingPlaces
{
  static constexpr bool near_is_touch = true;
  Geometry in;
  Place const* place;

  KOKKOS_FUNCTION Place of(index_t i) const
  {
    using Access = AccessReadOnly::accessor<double const>;
    auto const xy = Access::load<2>(place[i].number, 0);
    auto const zr = Access::load<2>(place[i].number, 2);
    return {{xy.lane[0], xy.lane[1], zr.lane[0], zr.lane[1]}};
  }
  static KOKKOS_FUNCTION double square(Place const& a, Place const& b)
  {
    double const x = b.number[0] - a.number[0];
    double const y = b.number[1] - a.number[1];
    double const z = b.number[2] - a.number[2];
    return x * x + y * y + z * z;
  }
  KOKKOS_FUNCTION bool near(index_t i, index_t j) const
  {
    Place const a = of(i);
    Place const b = of(j);
    double const reach = a.number[3] + b.number[3] + in.gap;
    return square(a, b) <= reach * reach;
  }
  KOKKOS_FUNCTION bool touch(index_t, index_t) const { return true; }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const
  {
    Place const a = of(i);
    Place const b = of(j);
    return in.quanta.length.rounded(sqrt(square(a, b)) - (a.number[3] + b.number[3]));
  }
};

} // namespace strata::contact
