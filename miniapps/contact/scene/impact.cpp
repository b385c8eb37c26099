#include "cells.hpp"
#include "mix.hpp"

namespace strata::contact {

namespace {

// Streams of random numbers, one for each dimension from this on.
constexpr unsigned fragment_velocity = 64;

} // namespace

Impact::Impact(SceneOptions const& settings)
    : seed_(settings.seed)
    , target_(2)
    , projectile_(1)
{
  scene_.dim = settings.config.dim;
  scene_.shape = shape_of(settings.config.shape);
  while (cells(target_ + 2) + cells(target_ / 2 + 1) <= settings.elements)
    target_ += 2;
  projectile_ = target_ / 2;
  scene_.elements = cells(target_) + cells(projectile_);
  if (settings.config.points == "nodes")
    scene_.points = cells(target_ + 1) + cells(projectile_ + 1);
  scene_.moves = true;
  scene_.bounds.kind = Bounds::Kind::walls;
  double const extent = static_cast<double>(target_) * spacing;
  scene_.bounds.low = {-2 * extent, -extent, scene_.dim == 2 ? 0.0 : -extent};
  scene_.bounds.high = {2 * extent, 2 * extent, scene_.dim == 2 ? 0.0 : 2 * extent};
}

index_t Impact::cells(index_t n) const
{
  return scene_.dim == 2 ? n * n : n * n * n;
}

/// The target's first, of elements and of nodes. It stands at x ≥ 0; the projectile comes from
/// below.
Object Impact::object(index_t gid) const
{
  index_t const more = gid >= scene_.elements ? 1 : 0; // nodes than elements, along an edge
  index_t const number = more == 1 ? gid - scene_.elements : gid;
  index_t const targets = cells(target_ + more);
  bool const flies = number >= targets;
  index_t const n = flies ? projectile_ : target_;
  index_t const along = n + more;
  auto const place =
      place_in({along, along, scene_.dim == 2 ? 1 : along}, flies ? number - targets : number);
  double const face = static_cast<double>(target_) * spacing / 2;
  Object made;
  made.gid = gid;
  made.body = flies ? 1 : 0;
  if (more == 0)
    made.half = half_extents(scene_.dim, spacing / 2);
  index_t const aside = (target_ - n) / 2;
  double square = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k) {
    made.at[k] = (static_cast<double>(place[k]) + (more == 0 ? 0.5 : 0)) * spacing;
    if (flies)
      made.at[k] += k == 0 ? -distance - static_cast<double>(n) * spacing
                           : static_cast<double>(aside) * spacing;
    double const struck = made.at[k] + (flies && k == 0 ? distance : 0) - (k == 0 ? 0 : face);
    square += struck * struck;
    made.after[k] =
        std::floor(static_cast<double>(
                       hashed(seed_, gid, fragment_velocity + static_cast<unsigned>(k)) >> 11) *
                   0x1p-53 * (2 * fastest + 1)) -
        fastest;
  }
  if (flies)
    made.velocity[0] = approach;
  made.breaks = static_cast<std::int64_t>(strike + std::ceil(std::sqrt(square) / front));
  return made;
}

} // namespace strata::contact
