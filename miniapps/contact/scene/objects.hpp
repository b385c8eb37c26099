#pragma once

#include "base/types.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace strata::contact {

/// What the elements of a deck are.
enum class Shape
{
  sphere, ///< half[0] is the radius
  box,    ///< half extents along the axes
  simplex ///< triangle or tetrahedron; half extents of its bounding box
};

/// "sphere", "box", "simplex".
Shape shape_of(std::string const& name);

using Vector = std::array<double, 3>; ///< z is 0 in two dimensions

/// An element or a free point: its state at step 0 and its motion. At step t its position is at
/// + velocity·min(t, breaks) + after·max(0, t − breaks), reflected at the walls. Generated
/// scenes have integer coordinates, so that every rank, compiler and device finds the same
/// contacts.
struct Object
{
  static constexpr std::int64_t never = std::numeric_limits<std::int32_t>::max();

  index_t gid = 0;  ///< elements first, 0..elements−1, then the free points
  index_t body = 0; ///< objects of one body do not touch each other until they break off
  std::int64_t breaks = never; ///< the step from which on it is a body of its own; a point is
                               ///< there from then on only
  Vector at{};
  Vector half{};
  Vector velocity{}; ///< per step
  Vector after{};
};

/// The corners of a simplex relative to `at`, and the gids of the points that lie there; −1
/// where there is none.
struct Corners
{
  std::array<Vector, 4> offset{};
  std::array<index_t, 4> point{-1, -1, -1, -1};
};

/// The box that objects are in, if there is one.
struct Bounds
{
  enum class Kind
  {
    none,
    walls,   ///< reflect
    periodic ///< wrap
  };
  Kind kind = Kind::none;
  Vector low{};
  Vector high{};
};

/// The global parameters of a scene, the same on all ranks.
struct Scene
{
  int dim = 3;
  Shape shape = Shape::sphere;
  index_t elements = 0;
  index_t points = 0;
  double gap = 0; ///< of objects that count as touching
  Bounds bounds;
  bool moves = false;
  bool exact = true; ///< coordinates are integers that the arithmetic handles exactly
};

/// Some objects of a scene; `corners` is empty unless they are simplices.
struct Objects
{
  std::vector<Object> all;
  std::vector<Corners> corners;
};

} // namespace strata::contact
