#include "cells.hpp"

namespace strata::contact {

namespace {

constexpr double edge = 8; ///< of a cell
constexpr double aim = 0.75;
constexpr index_t widest = 16; ///< cells across a block

/// Directed contacts of a cell at a block's end, edges of the end included.
double entries_per_end(Shape shape, int dim, index_t width, index_t parts)
{
  auto const across = static_cast<double>(width);
  if (shape == Shape::sphere)
    return 1;
  double const near = (3 * across - 2) / across;
  return (dim == 2 ? near : near * near) * static_cast<double>(parts);
}

} // namespace

/// As wide as leaves room for two blocks in a lane.
Hoss::Hoss(Settings const& settings)
{
  scene_.dim = settings.config.dim;
  scene_.shape = shape_of(settings.config.shape);
  parts_ = scene_.shape == Shape::simplex ? simplices_of_cell(scene_.dim) : 1;
  index_t cells = 0;
  for (index_t width = widest; width >= 1; width /= 2) {
    double const entries = entries_per_end(scene_.shape, scene_.dim, width, parts_);
    auto const length = static_cast<index_t>(std::lround(2 * entries / aim));
    block_ = {length, width, scene_.dim == 2 ? 1 : width};
    cells = static_cast<index_t>(product(block_));
    if (2 * cells * parts_ <= settings.elements)
      break;
  }
  index_t const blocks = std::max<index_t>(settings.elements / (cells * parts_), 1);
  index_t const lanes = std::max<index_t>(root(blocks, scene_.dim), 1);
  blocks_ = {1, lanes, scene_.dim == 2 ? 1 : lanes};
  blocks_[0] = std::max<index_t>(blocks / (blocks_[1] * blocks_[2]), 1);
  scene_.elements = static_cast<index_t>(product(block_) * product(blocks_)) * parts_;
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k)
    scene_.bounds.high[k] = static_cast<double>((block_[k] + 1) * blocks_[k]) * edge;
}

/// Elements are numbered by cell, x fastest through all blocks of a lane.
Counts Hoss::cell_of(index_t gid, index_t& part) const
{
  part = gid % parts_;
  Counts all;
  for (std::size_t k = 0; k < 3; ++k)
    all[k] = block_[k] * blocks_[k];
  return place_in(all, gid / parts_);
}

Object Hoss::object(index_t gid) const
{
  index_t part = 0;
  auto const cell = cell_of(gid, part);
  Counts block;
  for (std::size_t k = 0; k < 3; ++k)
    block[k] = cell[k] / block_[k];
  Object made;
  made.gid = gid;
  made.body = block[0] + blocks_[0] * (block[1] + blocks_[1] * block[2]);
  made.half = half_extents(scene_.dim, edge / 2);
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k) {
    index_t const lanes_apart = k == 0 ? 0 : block[k];
    made.at[k] = (static_cast<double>(cell[k] + lanes_apart) + 0.5) * edge;
  }
  return made;
}

Corners Hoss::corners(index_t gid) const
{
  index_t part = 0;
  static_cast<void>(cell_of(gid, part));
  return corners_of_part(scene_.dim, part, edge);
}

std::optional<Expected> Hoss::expected(std::int64_t /*step*/) const
{
  auto const ends = static_cast<double>((blocks_[0] - 1) * blocks_[1] * blocks_[2]);
  auto const parts = static_cast<double>(parts_);
  double const pairs = scene_.shape == Shape::sphere
                           ? product({1, block_[1], block_[2]})
                           : parts * parts * near_cells({1, block_[1], block_[2]});
  return Expected{ends * pairs, 0, 0};
}

} // namespace strata::contact
