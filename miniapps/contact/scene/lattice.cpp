#include "cells.hpp"

namespace strata::contact {

namespace {

Counts grid_of(SceneOptions const& settings)
{
  int const dim = settings.config.dim;
  index_t const parts = settings.config.shape == "simplex" ? simplices_of_cell(dim) : 1;
  index_t const n = std::max<index_t>(root(settings.elements / parts, dim), 1);
  return {n, n, dim == 2 ? 1 : n};
}

} // namespace

Lattice::Lattice(SceneOptions const& settings)
    : Lattice(settings.config, grid_of(settings))
{
}

Lattice::Lattice(Config const& config, Counts const& counts)
    : counts_(counts)
    , spacing_(config.spacing.value_or(4))
    , radius_(config.shape == "simplex" ? spacing_ / 2 : config.radius.value_or(2))
    , parts_(config.shape == "simplex" ? simplices_of_cell(config.dim) : 1)
    , points_(config.points)
{
  scene_.dim = config.dim;
  scene_.shape = shape_of(config.shape);
  scene_.elements = static_cast<index_t>(product(counts)) * parts_;
  Counts nodes = counts;
  for (int k = 0; k < config.dim; ++k)
    ++nodes[static_cast<std::size_t>(k)];
  scene_.points = points_ == "nodes"     ? static_cast<index_t>(product(nodes))
                  : points_ == "centres" ? static_cast<index_t>(product(counts))
                                         : 0;
  scene_.gap = config.gap.value_or(scene_.shape == Shape::simplex || scene_.points > 0 ? 0 : 1);
  demand_radius_left(scene_, radius_);
  scene_.bounds.kind = config.periodic ? Bounds::Kind::periodic : Bounds::Kind::none;
  for (std::size_t k = 0; k < static_cast<std::size_t>(config.dim); ++k)
    scene_.bounds.high[k] = static_cast<double>(counts[k]) * spacing_;
}

Object Lattice::object(index_t gid) const
{
  Object made;
  made.gid = gid;
  made.body = gid;
  bool const point = gid >= scene_.elements;
  bool const node = point && points_ == "nodes";
  Counts grid = counts_;
  for (int k = 0; node && k < scene_.dim; ++k)
    ++grid[static_cast<std::size_t>(k)];
  index_t const cell = point ? gid - scene_.elements : gid / parts_;
  auto const place = place_in(grid, cell);
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k)
    made.at[k] = (static_cast<double>(place[k]) + (node ? 0.0 : 0.5)) * spacing_;
  if (point)
    made.breaks = 0;
  else
    made.half = half_extents(scene_.dim, radius_);
  return made;
}

Corners Lattice::corners(index_t gid) const
{
  return gid < scene_.elements ? corners_of_part(scene_.dim, gid % parts_, spacing_)
                               : Corners{};
}

/// Known where elements reach their 2, 4 or 6 nearest neighbours, the next ones, and so on to
/// those at twice the spacing (contact.md section 6).
double Lattice::pairs() const
{
  bool const sphere = scene_.shape == Shape::sphere;
  double const reach = (2 * radius_ + scene_.gap) / spacing_;
  bool const wraps = scene_.bounds.kind == Bounds::Kind::periodic;
  if (!sphere) {
    if (reach < 1)
      return (static_cast<double>(parts_ * (parts_ - 1)) * product(counts_)) / 2;
    return reach < 2 && !wraps ? (static_cast<double>(parts_ * parts_) * near_cells(counts_) -
                                  static_cast<double>(parts_) * product(counts_)) /
                                     2
                               : -1;
  }
  double found = 0;
  int const z = scene_.dim == 2 ? 0 : 2;
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -z; k <= z; ++k) {
        double const square = i * i + j * j + k * k;
        if (square == 0 || square > reach * reach)
          continue;
        double along = 1;
        int const step[3] = {i, j, k};
        for (std::size_t a = 0; a < 3; ++a)
          along *=
              std::max(0.0, static_cast<double>(counts_[a] - (wraps ? 0 : std::abs(step[a]))));
        found += along / 2;
      }
  double const smallest =
      static_cast<double>(*std::min_element(counts_.begin(), counts_.begin() + scene_.dim));
  return reach < 3 && (!wraps || smallest >= 2 * reach) ? found : -1;
}

std::optional<Expected> Lattice::expected(std::int64_t /*step*/) const
{
  double const touching = pairs();
  if (touching < 0)
    return {};
  Expected sum{touching, 0, 0};
  if (scene_.points == 0)
    return sum;
  bool const own_size = 2 * radius_ == spacing_ && scene_.gap == 0;
  if (scene_.shape == Shape::sphere || !own_size ||
      scene_.bounds.kind == Bounds::Kind::periodic)
    return {};
  double const corners = scene_.shape == Shape::simplex ? scene_.dim + 1 : 1 << scene_.dim;
  if (points_ == "nodes")
    sum.point_entries = corners * static_cast<double>(scene_.elements);
  else if (scene_.shape == Shape::box)
    sum.point_entries = static_cast<double>(scene_.elements);
  else
    return {}; // centres lie on the cuts
  return sum;
}

} // namespace strata::contact
