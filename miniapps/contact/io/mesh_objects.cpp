#include "file_checks.hpp"
#include "mesh_nodes.hpp"

#include "scene/barycentric.hpp"

#include <algorithm>

namespace strata::contact {

namespace {

/// Refuses cells that are not of the deck's shape.
void check_types(Mesh const& mesh, InputFile const& file, Config const& config)
{
  bool const flat = config.dim == 2;
  int const simplex = flat ? Cell::triangle : Cell::tetrahedron;
  int const other = flat ? Cell::tetrahedron : Cell::triangle;
  for (std::size_t i = 0; config.shape != "box" && i < mesh.cells.size(); ++i) {
    int const type = mesh.cells[i].type;
    if (type == Cell::vertex || (config.shape == "simplex" && type == simplex))
      continue;
    file.refuse(
        "cell " + std::to_string(mesh.stretch.first + static_cast<index_t>(i)) +
        " is of type " + std::to_string(type) +
        (config.shape == "sphere" ? ", no sphere; set problem.shape to box, which takes "
                                    "all cells by their bounding boxes, or to simplex"
         : type == other ? std::string(", and simplices of ") + (flat ? "two" : "three") +
                               " dimensions are of type " + std::to_string(simplex) +
                               "; set problem.dim to " + (flat ? "3" : "2")
                         : ", no simplex; set problem.shape to box, which takes all cells "
                           "by their bounding boxes"));
  }
}

/// Sets the bounding box of a cell's corners, and the corners relative to its centre.
void place(Cell const& cell, Nodes const& nodes, Object& object, Corners& corners)
{
  Vector low = nodes.of(cell.node[0]).at;
  Vector high = low;
  auto const count = static_cast<std::size_t>(corners_of_type(cell.type));
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], nodes.of(cell.node[c]).at[k]);
      high[k] = std::max(high[k], nodes.of(cell.node[c]).at[k]);
    }
  for (std::size_t k = 0; k < 3; ++k) {
    object.at[k] = (low[k] + high[k]) / 2;
    object.half[k] = (high[k] - low[k]) / 2;
  }
  for (std::size_t c = 0; c < std::min(count, corners.offset.size()); ++c) {
    auto const& node = nodes.of(cell.node[c]);
    for (std::size_t k = 0; k < 3; ++k)
      corners.offset[c][k] = node.at[k] - object.at[k];
    corners.point[c] = node.free;
  }
}

/// Twice the area, six times the volume.
double volume(Corners const& corners, int dim)
{
  double edge[3][3] = {};
  for (std::size_t e = 0; e < 3; ++e)
    for (std::size_t k = 0; k < 3; ++k)
      edge[e][k] = corners.offset[e + 1][k] - corners.offset[0][k];
  return dim == 2 ? determinant<2>(edge[0], edge[1], edge[2])
                  : determinant<3>(edge[0], edge[1], edge[2]);
}

/// Free points behind all elements.
void add_points(Nodes const& nodes, FileContents& found)
{
  found.points = nodes.stretch().total;
  index_t gid = found.elements + nodes.stretch().first;
  for (auto const& at : nodes.free_points()) {
    Object point;
    point.gid = point.body = gid++;
    point.breaks = 0;
    point.at = at;
    found.objects.all.push_back(point);
  }
}

} // namespace

FileContents elements_of(Mesh const& mesh, InputFile const& file, Config const& config,
                         runtime::Communicator const& world)
{
  world.together([&] { check_types(mesh, file, config); });
  Nodes const nodes(mesh, world);
  bool const simplices = config.shape == "simplex";
  index_t number =
      stretch_of(world, std::count_if(mesh.cells.begin(), mesh.cells.end(),
                                      [](Cell const& c) { return c.type != Cell::vertex; }))
          .first;
  FileContents found;
  Noted degenerate;
  for (auto const& cell : mesh.cells) {
    if (cell.type == Cell::vertex)
      continue;
    Object object;
    Corners corners;
    place(cell, nodes, object, corners);
    ++number;
    if (simplices && volume(corners, config.dim) == 0) {
      degenerate.add(number - 1);
      continue;
    }
    found.objects.all.push_back(object);
    if (simplices)
      found.objects.corners.push_back(corners);
  }
  if (config.degenerate == "error")
    refuse_any(file, world, degenerate, "element",
               "without volume; mend them, or set problem.degenerate to drop");
  found.dropped = world.sum(degenerate.count);
  auto const stretch = stretch_of(world, static_cast<index_t>(found.objects.all.size()));
  found.elements = stretch.total;
  for (std::size_t i = 0; i < found.objects.all.size(); ++i)
    found.objects.all[i].gid = found.objects.all[i].body =
        stretch.first + static_cast<index_t>(i);
  for (auto& corners : found.objects.corners)
    for (auto& point : corners.point)
      point += point < 0 ? 0 : found.elements;
  add_points(nodes, found);
  if (simplices)
    found.objects.corners.resize(found.objects.all.size());
  return found;
}

} // namespace strata::contact
