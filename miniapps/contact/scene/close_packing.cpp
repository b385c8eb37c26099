#include "cells.hpp"

namespace strata::contact {

namespace {

constexpr double half_edge = 5; ///< of an FCC cell; nearest centres are √50 apart
constexpr double sphere_radius = 4;
constexpr double box_half = 2;

} // namespace

ClosePacking::ClosePacking(SceneOptions const& settings)
    : edge_(std::max<index_t>(
          root(settings.config.shape == "sphere" ? settings.elements / 4 : settings.elements,
               3),
          1))
{
  scene_.dim = 3;
  scene_.shape = shape_of(settings.config.shape);
  index_t const cells = edge_ * edge_ * edge_;
  bool const spheres = scene_.shape == Shape::sphere;
  scene_.elements = spheres ? 4 * cells : cells;
  scene_.bounds.kind = settings.config.periodic ? Bounds::Kind::periodic : Bounds::Kind::none;
  double const cell = spheres ? 2 * half_edge : 2 * box_half;
  scene_.bounds.high = {cell * static_cast<double>(edge_), cell * static_cast<double>(edge_),
                        cell * static_cast<double>(edge_)};
}

Object ClosePacking::object(index_t gid) const
{
  Object made;
  made.gid = gid;
  made.body = gid;
  bool const spheres = scene_.shape == Shape::sphere;
  auto const place = place_in({edge_, edge_, edge_}, spheres ? gid / 4 : gid);
  constexpr int sites[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  for (std::size_t k = 0; k < 3; ++k) {
    auto const at = static_cast<double>(place[k]);
    made.at[k] = spheres ? (2 * at + sites[gid % 4][k]) * half_edge : (2 * at + 1) * box_half;
  }
  made.half = half_extents(3, spheres ? sphere_radius : box_half);
  return made;
}

std::optional<Expected> ClosePacking::expected(std::int64_t /*step*/) const
{
  auto const m = static_cast<double>(edge_);
  bool const wraps = scene_.bounds.kind == Bounds::Kind::periodic;
  if (wraps && edge_ < 3)
    return {};
  if (scene_.shape == Shape::sphere)
    return Expected{wraps ? 24 * m * m * m : 6 * m * (2 * m - 1) * (2 * m - 1), 0, 0};
  double const n = m * m * m;
  return Expected{wraps ? 13 * n : (near_cells({edge_, edge_, edge_}) - n) / 2, 0, 0};
}

double ClosePacking::row_length() const
{
  return scene_.shape == Shape::sphere ? 12 : 26;
}

} // namespace strata::contact
