#include "cells.hpp"
#include "mix.hpp"

namespace strata::contact {

namespace {

enum Stream : unsigned
{
  position_x,
  position_y,
  position_z,
  velocity_x,
  velocity_y,
  velocity_z,
  clump_number,
  clump_shape
};

constexpr double default_radius = 512;
constexpr index_t clumps = 8;
constexpr double density_ratio = 100;

/// An integer in [0, below), hashed.
double whole(std::uint64_t word, double below)
{
  return std::floor(static_cast<double>(word >> 11) * 0x1p-53 * below);
}

/// Edge of a cube (square) in which `elements` have that many others within `reach`.
double edge_for(int dim, index_t elements, double reach, double neighbours)
{
  constexpr double pi = 3.14159265358979323846;
  double const ball = dim == 2 ? pi * reach * reach : 4.0 / 3 * pi * reach * reach * reach;
  double const volume = static_cast<double>(elements) * ball / neighbours;
  return std::max(1.0, std::rint(std::pow(volume, 1.0 / dim)));
}

void set_random_scene(Scene& scene, SceneOptions const& settings, double radius,
                      double neighbours)
{
  scene.dim = settings.config.dim;
  scene.shape = shape_of(settings.config.shape);
  scene.elements = settings.elements;
  scene.gap = settings.config.gap.value_or(0);
  demand_radius_left(scene, radius);
  scene.moves = true;
  scene.bounds.kind = settings.config.periodic ? Bounds::Kind::periodic : Bounds::Kind::walls;
  double const edge = edge_for(scene.dim, scene.elements, 2 * radius + scene.gap, neighbours);
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene.dim); ++k)
    scene.bounds.high[k] = edge;
}

Object moving(Scene const& scene, std::uint64_t seed, index_t gid, double radius, int speed)
{
  Object made;
  made.gid = gid;
  made.body = gid;
  made.half = half_extents(scene.dim, radius);
  for (unsigned k = 0; k < static_cast<unsigned>(scene.dim); ++k) {
    made.at[k] = whole(hashed(seed, gid, position_x + k), scene.bounds.high[k]);
    made.velocity[k] = whole(hashed(seed, gid, velocity_x + k), 2 * speed + 1) - speed;
  }
  return made;
}

} // namespace

Random::Random(SceneOptions const& settings)
    : seed_(settings.seed)
    , neighbours_(settings.config.neighbours.value_or(6))
    , radius_(settings.config.radius.value_or(default_radius))
    , speed_(settings.config.speed)
{
  set_random_scene(scene_, settings, radius_, neighbours_);
}

Object Random::object(index_t gid) const
{
  return moving(scene_, seed_, gid, radius_, speed_);
}

/// The mean of independent uniform positions: the chance p of one pair is the volume v of the
/// ball less what the walls cut off (contact.md section 6). The variance of the number of pairs
/// is N(N−1)/2 p(1−p) + N(N−1)(N−2) (P − p²), P the chance that two are near a third: the mean
/// square of what the box has of the ball around a place, which is at most v and on average p,
/// so that P <= v p.
std::optional<Expected> Random::expected(std::int64_t step) const
{
  double const edge = scene_.bounds.high[0];
  double const r = (2 * radius_ + scene_.gap) / edge;
  bool const wraps = scene_.bounds.kind == Bounds::Kind::periodic;
  if (step != 0 || scene_.shape != Shape::sphere || r > (wraps ? 0.5 : 1.0) || edge < 1e4)
    return {}; // positions on a coarse grid are not uniform
  constexpr double pi = 3.14159265358979323846;
  double const ball = scene_.dim == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
  double chance = ball;
  if (!wraps)
    chance += scene_.dim == 2
                  ? -8 * r * r * r / 3 + r * r * r * r / 2
                  : -3 * pi / 2 * r * r * r * r + 8 * std::pow(r, 5) / 5 - std::pow(r, 6) / 6;
  auto const n = static_cast<double>(scene_.elements);
  double const mean = n * (n - 1) * chance / 2;
  double const both = n * (n - 1) * (n - 2) * chance * (std::min(ball, 1.0) - chance);
  return Expected{mean, 0, std::sqrt(mean * (1 - chance) + both + 1)};
}

Clump::Clump(SceneOptions const& settings)
    : seed_(settings.seed)
    , neighbours_(settings.config.neighbours.value_or(6))
    , radius_(settings.config.radius.value_or(default_radius))
    , speed_(settings.config.speed)
    , width_(0)
{
  set_random_scene(scene_, settings, radius_, neighbours_);
  // Nine of ten elements at density_ratio times the density of the tenth.
  double const edge = scene_.bounds.high[0];
  double const part = 9 / density_ratio / static_cast<double>(clumps);
  width_ = std::max(2.0, std::rint(edge * std::pow(part, 1.0 / scene_.dim) / 2));
}

Object Clump::object(index_t gid) const
{
  auto made = moving(scene_, seed_, gid, radius_, speed_);
  auto const choice = hashed(seed_, gid, clump_number);
  if (choice % 10 == 0)
    return made;
  auto const clump = static_cast<index_t>(choice / 10 % static_cast<std::uint64_t>(clumps));
  for (unsigned k = 0; k < static_cast<unsigned>(scene_.dim); ++k) {
    double const edge = scene_.bounds.high[k];
    double const centre = whole(hashed(seed_ + 1, clump, position_x + k), edge);
    double normal = -6; // the sum of twelve uniform numbers less 6: mean 0, variance 1
    for (unsigned i = 0; i < 12; ++i)
      normal += whole(hashed(seed_, gid, clump_shape + 12 * k + i), 0x1p20) * 0x1p-20;
    made.at[k] = std::clamp(std::floor(centre + normal * width_ / 2), 0.0, edge - 1);
  }
  return made;
}

} // namespace strata::contact
