#include "cells.hpp"

namespace strata::contact {

namespace {

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

Hoss::Hoss(SceneOptions const& settings)
{
  scene_.dim = settings.config.dim;
  scene_.shape = shape_of(settings.config.shape);
  parts_ = scene_.shape == Shape::simplex ? simplices_of_cell(scene_.dim) : 1;
  for (index_t width = widest; width >= 1; width /= 2)
    if (lay_out(width, settings.elements))
      break;
  scene_.elements = (cells_of_blocks() + debris_) * parts_;
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k)
    scene_.bounds.high[k] = static_cast<double>((block_[k] + 1) * blocks_[k]) * edge;
}

/// Blocks so many cells across, about as many along each axis, and debris; whether there is
/// room for all of that. Lanes end where enough elements are left for it.
bool Hoss::lay_out(index_t width, index_t elements)
{
  double const entries = entries_per_end(scene_.shape, scene_.dim, width, parts_);
  block_ = {static_cast<index_t>(std::ceil(2 * entries / aim)), width,
            scene_.dim == 2 ? 1 : width};
  index_t const blocks = elements / (static_cast<index_t>(product(block_)) * parts_);
  index_t const tracks = std::max<index_t>(root(blocks, scene_.dim), 1);
  blocks_ = {1, tracks, scene_.dim == 2 ? 1 : tracks};
  blocks_[0] = std::max<index_t>(blocks / (blocks_[1] * blocks_[2]), 1);
  bool enough = scatter_debris();
  while ((cells_of_blocks() + debris_) * parts_ > elements && blocks_[0] > 1) {
    --blocks_[0];
    enough = scatter_debris();
  }
  return enough;
}

index_t Hoss::cells_of_blocks() const
{
  return static_cast<index_t>(product(block_) * product(blocks_));
}

/// As many pieces as add what the blocks' ends leave missing, or as there is room for; whether
/// there is enough. They leave a cell free to the next along x and to the tracks' ends.
/// Spheres, which touch one of each track, lie all across the gap; others, which touch more,
/// along its two edges, where rows stay short.
bool Hoss::scatter_debris()
{
  index_t const across = block_[2];
  row_step_ = scene_.shape == Shape::sphere || across < 3 ? 2 : across - 1;
  room_ = {(block_[0] * blocks_[0] - 1) / 2, (across - 1) / row_step_ + 1,
           (blocks_[1] - 1) * blocks_[2]};
  auto const elements = static_cast<double>(cells_of_blocks() * parts_);
  double const missing = aim * elements - 2 * pairs_of_blocks();
  double const wanted = missing / (2 * pairs_of_piece() - aim * static_cast<double>(parts_));
  debris_ = static_cast<index_t>(std::min(wanted, product(room_)));
  return wanted <= product(room_);
}

double Hoss::pairs_of_blocks() const
{
  auto const ends = static_cast<double>((blocks_[0] - 1) * blocks_[1] * blocks_[2]);
  auto const parts = static_cast<double>(parts_);
  return ends * (scene_.shape == Shape::sphere
                     ? product({1, block_[1], block_[2]})
                     : parts * parts * near_cells({1, block_[1], block_[2]}));
}

/// Of one piece of debris with the tracks on both sides.
double Hoss::pairs_of_piece() const
{
  if (scene_.shape == Shape::sphere)
    return 2;
  return 2 * static_cast<double>(parts_ * parts_ * 3 * std::min<index_t>(block_[2], 2));
}

/// Its place, counted in cells, and its body. Cells of blocks are numbered x fastest through
/// all blocks of a track; debris, spread evenly over its room, comes after them.
Hoss::Cell Hoss::cell(index_t number) const
{
  auto const blocks = static_cast<index_t>(product(blocks_));
  index_t const piece = number - cells_of_blocks();
  if (piece >= 0) {
    auto const room = place_in(room_, piece * static_cast<index_t>(product(room_)) / debris_);
    auto const gap = place_in({blocks_[1] - 1, blocks_[2], 1}, room[2]);
    return {{2 * room[0] + 1, (gap[0] + 1) * (block_[1] + 1) - 1,
             gap[1] * (block_[2] + 1) + room[1] * row_step_},
            blocks + piece};
  }
  auto const place = place_in(
      {block_[0] * blocks_[0], block_[1] * blocks_[1], block_[2] * blocks_[2]}, number);
  Counts const block = {place[0] / block_[0], place[1] / block_[1], place[2] / block_[2]};
  return {{place[0], place[1] + block[1], place[2] + block[2]},
          block[0] + blocks_[0] * (block[1] + blocks_[1] * block[2])};
}

Object Hoss::object(index_t gid) const
{
  auto const here = cell(gid / parts_);
  Object made;
  made.gid = gid;
  made.body = here.body;
  made.half = half_extents(scene_.dim, edge / 2);
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k)
    made.at[k] = (static_cast<double>(here.place[k]) + 0.5) * edge;
  return made;
}

Corners Hoss::corners(index_t gid) const
{
  return corners_of_part(scene_.dim, gid % parts_, edge);
}

std::optional<Expected> Hoss::expected(std::int64_t /*step*/) const
{
  return Expected{pairs_of_blocks() + static_cast<double>(debris_) * pairs_of_piece(), 0, 0};
}

} // namespace strata::contact
