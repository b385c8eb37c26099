#include "vtk_elements.hpp"

#include "io/readers.hpp"
#include "scene/motion.hpp"

#include <algorithm>
#include <numeric>

namespace strata::contact {

int cell_type(Scene const& scene)
{
  bool const flat = scene.dim == 2;
  if (scene.shape == Shape::sphere)
    return Cell::vertex;
  if (scene.shape == Shape::box)
    return flat ? Cell::quadrilateral : Cell::hexahedron;
  return flat ? Cell::triangle : Cell::tetrahedron;
}

Vector corner_of(Element const& element, int type, std::size_t c)
{
  bool const box = type == Cell::quadrilateral || type == Cell::hexahedron;
  Vector at = element.at;
  if (type == Cell::vertex)
    return at;
  double const side[3] = {c % 4 == 1 || c % 4 == 2 ? 1.0 : -1.0, c % 4 >= 2 ? 1.0 : -1.0,
                          c >= 4 ? 1.0 : -1.0};
  for (std::size_t k = 0; k < 3; ++k)
    at[k] += box ? side[k] * element.half[k] : element.corner[c][k];
  return at;
}

Elements::Elements(Scene const& scene, Objects const& objects, std::int64_t step,
                   std::vector<index_t> const& lengths, int rank)
    : scene_(scene)
    , objects_(objects)
    , step_(step)
    , lengths_(lengths)
    , rank_(rank)
    , order_(lengths.size())
{
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [this](std::size_t a, std::size_t b) { return gid(a) < gid(b); });
}

std::vector<Element> Elements::numbered(index_t first, index_t last) const
{
  std::vector<Element> found;
  for (index_t i = first; i < std::min(last, size()); ++i)
    found.push_back(element(order_[static_cast<std::size_t>(i)]));
  return found;
}

std::vector<Element> Elements::with_gids(index_t first, index_t last) const
{
  return numbered(number_of_gid(first), number_of_gid(last));
}

index_t Elements::number_of_gid(index_t first) const
{
  return std::lower_bound(order_.begin(), order_.end(), first,
                          [this](std::size_t i, index_t limit) { return gid(i) < limit; }) -
         order_.begin();
}

Element Elements::element(std::size_t i) const
{
  auto const& object = objects_.all[i];
  bool const broken = step_ >= object.breaks;
  return {object.gid,
          broken ? -1 : object.body,
          position(object, scene_.bounds, step_),
          object.half,
          objects_.corners.empty() ? std::array<Vector, 4>{} : objects_.corners[i].offset,
          static_cast<std::int32_t>(lengths_[i]),
          rank_};
}

} // namespace strata::contact
