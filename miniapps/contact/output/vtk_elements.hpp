#pragma once

#include "scene/objects.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace strata::contact {

inline constexpr char const* write_vtk_key = "problem.write_vtk";

/// The data of an element in a VTK file.
struct Element
{
  index_t gid;
  index_t body; ///< −1 for what has broken off
  Vector at;
  Vector half;
  std::array<Vector, 4> corner; ///< of a simplex, relative to `at`
  std::int32_t length;          ///< of its row
  std::int32_t rank;
};

/// VTK's type of the scene's elements as cells.
int cell_type(Scene const& scene);

/// A corner of a cell of that type in VTK's order: around the lower side, then around the
/// upper one.
Vector corner_of(Element const& element, int type, std::size_t c);

/// This rank's elements in the order of their gids, where they are at a step. `objects` are
/// this rank's, elements first; `lengths` those of their rows. Both must outlive this.
class Elements
{
public:
  Elements(Scene const& scene, Objects const& objects, std::int64_t step,
           std::vector<index_t> const& lengths, int rank);
  [[nodiscard]] Scene const& scene() const { return scene_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] index_t size() const { return static_cast<index_t>(order_.size()); }
  /// Those with numbers from `first` to before `last`, or to the end.
  [[nodiscard]] std::vector<Element> numbered(index_t first, index_t last) const;
  /// Those with gids from `first` to before `last`.
  [[nodiscard]] std::vector<Element> with_gids(index_t first, index_t last) const;

private:
  [[nodiscard]] index_t gid(std::size_t i) const { return objects_.all[i].gid; }
  [[nodiscard]] index_t number_of_gid(index_t first) const;
  [[nodiscard]] Element element(std::size_t i) const;

  Scene const& scene_;
  Objects const& objects_;
  std::int64_t step_;
  std::vector<index_t> const& lengths_;
  int rank_;
  std::vector<std::size_t> order_;
};

} // namespace strata::contact
