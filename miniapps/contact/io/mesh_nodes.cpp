#include "mesh_nodes.hpp"

#include "runtime/share.hpp"

#include <algorithm>

namespace strata::contact {

namespace {

/// The numbers of the elements' corners, or of the points that cells of type 1 name; ascending,
/// without duplicates.
std::vector<index_t> numbers_in(Mesh const& mesh, bool vertices)
{
  std::vector<index_t> numbers;
  for (auto const& cell : mesh.cells)
    if ((cell.type == Cell::vertex) == vertices)
      numbers.insert(numbers.end(), cell.node.begin(),
                     cell.node.begin() + corners_of_type(cell.type));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

} // namespace

Nodes::Nodes(Mesh const& mesh, runtime::Communicator const& world)
    : mesh_(mesh)
    , world_(world)
    , numbers_(numbers_in(mesh, false))
{
  auto const corners = asked_of_me(numbers_);
  number_free_points(corners.values, asked_of_me(numbers_in(mesh, true)).values);
  answer(corners);
}

/// Sends ascending numbers of points to the ranks that have read these points.
runtime::Received<index_t> Nodes::asked_of_me(std::vector<index_t> const& numbers) const
{
  std::vector<std::vector<index_t>> asking;
  for (int r = 0; r < world_.ranks(); ++r) {
    runtime::Share const share{r, world_.ranks()};
    auto const place = [&](index_t number) {
      return std::lower_bound(numbers.begin(), numbers.end(), number);
    };
    asking.emplace_back(place(share.begin(mesh_.points.stretch.total)),
                        place(share.end(mesh_.points.stretch.total)));
  }
  return world_.all_to_all(asking);
}

void Nodes::number_free_points(std::vector<index_t> const& corners,
                               std::vector<index_t> const& vertices)
{
  auto const& points = mesh_.points;
  std::vector<bool> is_free(points.at.size(), true);
  auto const mark = [&](std::vector<index_t> const& numbers, bool value) {
    for (index_t const number : numbers)
      is_free[static_cast<std::size_t>(number - points.stretch.first)] = value;
  };
  mark(corners, false);
  mark(vertices, true);
  stretch_ = stretch_of(world_, std::count(is_free.begin(), is_free.end(), true));
  free_number_.assign(points.at.size(), -1);
  for (std::size_t i = 0; i < is_free.size(); ++i) {
    if (!is_free[i])
      continue;
    free_number_[i] = stretch_.first + static_cast<index_t>(free_.size());
    free_.push_back(points.at[i]);
  }
}

void Nodes::answer(runtime::Received<index_t> const& corners)
{
  std::vector<std::vector<Node>> answers;
  for (int r = 0; r < world_.ranks(); ++r) {
    auto& nodes = answers.emplace_back();
    for (index_t const number : corners.from(r)) {
      auto const i = static_cast<std::size_t>(number - mesh_.points.stretch.first);
      nodes.push_back({mesh_.points.at[i], free_number_[i]});
    }
  }
  nodes_ = world_.all_to_all(answers).values;
}

Node const& Nodes::of(index_t number) const
{
  auto const found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  return nodes_[static_cast<std::size_t>(found - numbers_.begin())];
}

} // namespace strata::contact
