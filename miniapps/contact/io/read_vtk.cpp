#include "readers.hpp"
#include "vtk_outline.hpp"

#include "runtime/share.hpp"

#include <utility>

namespace strata::contact {

namespace {

/// This rank's cells of a file.
class CellReader
{
public:
  CellReader(InputFile const& file, VtkOutline const& outline,
             runtime::Communicator const& world)
      : file_(file)
      , outline_(outline)
      , share_{world.rank(), world.ranks()}
      , first_(share_.begin(outline.cells))
      , last_(share_.end(outline.cells))
  {
  }
  /// Collective. A cell's place among the corners follows from the types of all before it.
  std::vector<Cell> read(runtime::Communicator const& world)
  {
    world.together([this] { read_types(); });
    auto const corners = stretch_of(world, corners_);
    world.together([&] {
      index_t const lengths = outline_.offsets_apart ? 0 : outline_.cells;
      if (corners.total + lengths != outline_.connectivity.count)
        file_.refuse("its cells have " + std::to_string(corners.total + lengths) +
                     " numbers by their types and " +
                     std::to_string(outline_.connectivity.count) + " by CELLS");
      read_corners(corners.first);
    });
    return std::move(cells_);
  }

private:
  void read_types()
  {
    auto const types = numbers(outline_.types, first_, last_);
    cells_.reserve(types.size());
    for (auto const type : types) {
      int const corners = corners_of_type(type);
      if (corners == 0)
        refuse("is of type " + std::to_string(type) +
               "; types 5, 9, 10 and 12 are read as elements and 1 as points");
      corners_ += corners;
      cells_.push_back({static_cast<int>(type), {}});
    }
  }
  void read_corners(index_t before)
  {
    index_t const lengths = outline_.offsets_apart ? 0 : 1;
    index_t const start = before + lengths * first_;
    auto const all =
        numbers(outline_.connectivity, start, start + corners_ + lengths * (last_ - first_));
    auto const offsets = outline_.offsets_apart ? numbers(outline_.offsets, first_, last_)
                                                : std::vector<index_t>{};
    std::size_t at = 0;
    auto read = std::exchange(cells_, {});
    for (auto& cell : read) {
      int const corners = corners_of_type(cell.type);
      bool const fits = outline_.offsets_apart
                            ? offsets[cells_.size()] == before + static_cast<index_t>(at)
                            : all[at++] == corners;
      if (!fits)
        refuse("has not the " + std::to_string(corners) + " corners of its type " +
               std::to_string(cell.type));
      for (std::size_t c = 0; c < static_cast<std::size_t>(corners); ++c)
        cell.node[c] = checked(all[at++]);
      cells_.push_back(cell);
    }
  }
  [[nodiscard]] index_t checked(index_t node) const
  {
    if (node < 0 || node >= outline_.points)
      refuse("has point " + std::to_string(node) + " as a corner, and there are points 0 to " +
             std::to_string(outline_.points - 1));
    return node;
  }
  [[nodiscard]] std::vector<index_t> numbers(Section const& section, index_t first,
                                             index_t last) const
  {
    return numbers_of<index_t>(file_, outline_.binary, section, first, last);
  }
  /// The cell behind those that are read.
  [[noreturn]] void refuse(std::string const& why) const
  {
    file_.refuse("cell " + std::to_string(first_ + static_cast<index_t>(cells_.size())) + " " +
                 why);
  }

  InputFile const& file_;
  VtkOutline const& outline_;
  runtime::Share share_;
  index_t first_, last_;
  index_t corners_ = 0;
  std::vector<Cell> cells_;
};

} // namespace

Mesh read_vtk(InputFile const& file, runtime::Communicator const& world)
{
  auto const outline = found_by_rank_0<VtkOutline>(world, [&] { return outline_of_vtk(file); });
  Mesh mesh;
  runtime::Share const share{world.rank(), world.ranks()};
  world.together([&] {
    mesh.points.stretch = {share.begin(outline.points), outline.points};
    auto const numbers =
        numbers_of<double>(file, outline.binary, outline.coordinates,
                           3 * share.begin(outline.points), 3 * share.end(outline.points));
    for (std::size_t i = 0; i < numbers.size(); i += 3)
      mesh.points.at.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  });
  mesh.stretch = {share.begin(outline.cells), outline.cells};
  if (outline.cells > 0)
    mesh.cells = CellReader(file, outline, world).read(world);
  return mesh;
}

} // namespace strata::contact
