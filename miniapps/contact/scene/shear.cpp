#include "cells.hpp"

namespace strata::contact {

Shear::Shear(SceneOptions const& settings)
    : edge_(std::max<index_t>(
          settings.config.dim == 2 ? settings.elements / 2 : root(settings.elements / 2, 2), 1))
    , depth_(settings.config.dim == 2 ? 1 : edge_)
{
  scene_.dim = settings.config.dim;
  scene_.shape = Shape::sphere;
  scene_.elements = 2 * edge_ * depth_;
  scene_.gap = gap;
  scene_.moves = true;
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k)
    scene_.bounds.high[k] = static_cast<double>(edge_ + 2) * spacing;
}

/// The lower row (plane) first, x fastest; y points from one to the other.
Object Shear::object(index_t gid) const
{
  auto const place = place_in({edge_, depth_, 2}, gid);
  Object made;
  made.gid = gid;
  made.body = gid;
  made.half = half_extents(scene_.dim, radius);
  made.at = {static_cast<double>(place[0]) * spacing, static_cast<double>(place[2]) * spacing,
             static_cast<double>(place[1]) * spacing};
  if (place[2] == 1)
    made.velocity[0] = slide;
  return made;
}

/// Neighbours within the rows, and those of the rows k apart whose offset ka + s is at most
/// half a spacing (contact.md section 6).
std::optional<Expected> Shear::expected(std::int64_t step) const
{
  double const shift = slide * static_cast<double>(step);
  auto const n = static_cast<double>(edge_);
  auto const depth = static_cast<double>(depth_);
  double pairs = 2 * ((n - 1) * depth + n * (depth - 1));
  double const nearest = std::rint(shift / spacing);
  for (double k = nearest - 1; k <= nearest + 1; ++k)
    if (std::abs(shift - k * spacing) <= spacing / 2)
      pairs += std::max(0.0, n - k) * depth;
  return Expected{pairs, 0, 0};
}

} // namespace strata::contact
