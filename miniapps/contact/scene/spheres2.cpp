#include "cells.hpp"

namespace strata::contact {

namespace {

constexpr double apart = 1600; ///< of neighbouring spheres: 0.8 diameters
constexpr index_t finest = 11; ///< edges of a triangle along an octahedron's
constexpr index_t most_rows = 40;

/// Spheres on the surface of a cube of them.
index_t on_surface(index_t rows)
{
  index_t const inner = std::max<index_t>(rows - 2, 0);
  return rows * rows * rows - inner * inner * inner;
}

index_t facets_for(index_t edges)
{
  return 8 * edges * edges;
}

/// The place of a number on the surface of a cube: whole planes z below and above, rings
/// between.
Counts place_on_surface(index_t rows, index_t number)
{
  index_t const plane = rows * rows;
  index_t const ring = plane - (rows - 2) * (rows - 2);
  index_t const z = number < plane ? 0 : std::min((number - plane) / ring + 1, rows - 1);
  index_t const rest = number - (z == 0 ? 0 : plane + (z - 1) * ring);
  if (z == 0 || z == rows - 1)
    return {rest % rows, rest / rows, z};
  if (rest < rows)
    return {rest, 0, z};
  if (rest >= ring - rows)
    return {rest - (ring - rows), rows - 1, z};
  return {(rest - rows) % 2 * (rows - 1), (rest - rows) / 2 + 1, z};
}

/// The point of the sphere over a place of the octahedron's face x + y + z = n: even numbers,
/// so that the middle between two is whole.
Vector on_sphere(Counts const& place)
{
  constexpr double radius = 1000;
  auto const [x, y, z] = place;
  double const length = std::sqrt(static_cast<double>(x * x + y * y + z * z));
  Vector at{};
  for (std::size_t k = 0; k < 3; ++k)
    at[k] = 2 * std::rint(radius / 2 * static_cast<double>(place[k]) / length);
  return at;
}

/// The box around three points of the sphere, mirrored into an octant.
Spheres2::Facet facet_of(std::array<Counts, 3> const& corners, index_t octant)
{
  Vector low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vector high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (auto const& corner : corners) {
    auto const at = on_sphere(corner);
    for (std::size_t k = 0; k < 3; ++k) {
      double const x = (octant >> k & 1) != 0 ? -at[k] : at[k];
      low[k] = std::min(low[k], x);
      high[k] = std::max(high[k], x);
    }
  }
  Spheres2::Facet facet;
  for (std::size_t k = 0; k < 3; ++k) {
    facet.at[k] = (low[k] + high[k]) / 2;
    facet.half[k] = (high[k] - low[k]) / 2;
  }
  return facet;
}

std::vector<Spheres2::Facet> facets_of(index_t edges)
{
  std::vector<Spheres2::Facet> facets;
  for (index_t octant = 0; octant < 8; ++octant)
    for (index_t x = 0; x < edges; ++x)
      for (index_t y = 0; x + y < edges; ++y) {
        auto const at = [&](index_t i, index_t j) { return Counts{i, j, edges - i - j}; };
        facets.push_back(facet_of({at(x, y), at(x + 1, y), at(x, y + 1)}, octant));
        if (x + y + 1 < edges)
          facets.push_back(facet_of({at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)}, octant));
      }
  return facets;
}

/// Facets of a sphere and of one that many places from it that touch.
double touching(std::vector<Spheres2::Facet> const& facets, Counts const& places)
{
  double found = 0;
  for (auto const& a : facets)
    for (auto const& b : facets) {
      bool touch = true;
      for (std::size_t k = 0; k < 3; ++k)
        touch = touch && std::abs(b.at[k] + static_cast<double>(places[k]) * apart - a.at[k]) <=
                             a.half[k] + b.half[k];
      found += touch ? 1 : 0;
    }
  return found;
}

/// As fine as leaves eight spheres, then as large as leaves one cube.
Counts sizes_for(index_t elements)
{
  index_t edges = finest;
  while (edges > 1 && on_surface(2) * facets_for(edges) > elements)
    --edges;
  index_t rows = 2;
  while (rows < most_rows && on_surface(rows + 2) * facets_for(edges) <= elements)
    rows += 2;
  index_t const of_cube = on_surface(rows) * facets_for(edges);
  return {edges, rows, std::max<index_t>(root(elements / of_cube, 3), 1)};
}

} // namespace

Spheres2::Spheres2(SceneOptions const& settings)
    : Spheres2(settings.config, sizes_for(settings.elements))
{
}

Spheres2::Spheres2(Config const& config, Counts const& edges_rows_cubes)
    : facets_(facets_of(edges_rows_cubes[0]))
    , rows_(edges_rows_cubes[1])
    , cubes_(edges_rows_cubes[2])
{
  auto const of_sphere = static_cast<index_t>(facets_.size());
  scene_.dim = 3;
  scene_.shape = Shape::box;
  scene_.elements = cubes_ * cubes_ * cubes_ * on_surface(rows_) * of_sphere;
  scene_.gap = config.gap.value_or(0);
  double const extent = static_cast<double>(cubes_ * rows_) * apart;
  scene_.bounds.high = {extent, extent, extent};
  if (scene_.gap == 0)
    pairs_ = pairs();
}

/// Facets of a sphere first, then spheres of a cube. Neighbouring cubes are as far apart as
/// neighbouring spheres.
Object Spheres2::object(index_t gid) const
{
  auto const of_sphere = static_cast<index_t>(facets_.size());
  index_t const spheres = on_surface(rows_);
  auto const& facet = facets_[static_cast<std::size_t>(gid % of_sphere)];
  auto const cube = place_in({cubes_, cubes_, cubes_}, gid / of_sphere / spheres);
  auto const sphere = place_on_surface(rows_, gid / of_sphere % spheres);
  Object made;
  made.gid = gid;
  made.half = facet.half;
  for (std::size_t k = 0; k < 3; ++k) {
    index_t const place = cube[k] * rows_ + sphere[k];
    made.at[k] = static_cast<double>(place) * apart + facet.at[k];
    made.body += place;
  }
  made.body %= 2;
  return made;
}

/// Those of two neighbouring spheres of different colours, times how many such neighbours there
/// are: of all places, without those where either is inside its cube.
double Spheres2::pairs() const
{
  auto const along = static_cast<double>(cubes_ * rows_);
  auto const inside = static_cast<double>(cubes_ * (rows_ - 2));
  auto const both_inside = static_cast<double>(cubes_ * std::max<index_t>(rows_ - 3, 0));
  double sum = 0;
  for (index_t x = -1; x <= 1; ++x)
    for (index_t y = -1; y <= 1; ++y)
      for (index_t z = -1; z <= 1; ++z) {
        if ((x + y + z) % 2 == 0)
          continue;
        double all = 1;
        double hollow = 1;
        for (auto const step : {x, y, z}) {
          all *= along - (step == 0 ? 0 : 1);
          hollow *= step == 0 ? inside : both_inside;
        }
        double const neighbours = all - 2 * inside * inside * inside + hollow;
        sum += neighbours * touching(facets_, {x, y, z}) / 2;
      }
  return sum;
}

std::optional<Expected> Spheres2::expected(std::int64_t /*step*/) const
{
  return pairs_ < 0 ? std::nullopt : std::optional(Expected{pairs_, 0, 0});
}

double Spheres2::row_length() const
{
  return std::max(1.0, 2 * pairs_ / static_cast<double>(scene_.elements));
}

} // namespace strata::contact
