#include "confinement.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "grid/grid.hpp"
#include "scene/motion.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace strata::contact {

namespace {

template <class Numbers>
bool has(Box const& box, Numbers const& at)
{
  for (std::size_t k = 0; k < 3; ++k)
    if (!(box.low[k] <= at[k] && at[k] <= box.high[k]))
      return false;
  return true;
}

template <class Numbers>
std::string place(Numbers const& at)
{
  return "(" + text::number(at[0]) + ", " + text::number(at[1]) + ", " + text::number(at[2]) +
         ")";
}

} // namespace

Confinement::Confinement(Population const& population, runtime::Communicator const& world)
    : world_(world)
    , box_(centres(population.geometry(), population.own()))
{
  auto const& bounds = population.scene().bounds;
  if (bounds.kind != Bounds::Kind::none)
    for (std::size_t k = 0; k < 3; ++k) {
      box_.low[k] = std::min(box_.low[k], bounds.low[k]);
      box_.high[k] = std::max(box_.high[k], bounds.high[k]);
    }
  auto const low = world_.min(std::vector<double>(box_.low, box_.low + 3));
  auto const high = world_.max(std::vector<double>(box_.high, box_.high + 3));
  std::copy(low.begin(), low.end(), box_.low);
  std::copy(high.begin(), high.end(), box_.high);
}

void Confinement::demand(Population const& population) const
{
  auto const now = centres(population.geometry(), population.own());
  bool const inside = population.own() == 0 || (has(box_, now.low) && has(box_, now.high));
  if (world_.all(inside))
    return;
  auto first = std::numeric_limits<index_t>::max();
  Vector where{};
  for (auto const& object : population.objects().all) {
    auto const at = position(object, population.scene().bounds, population.step());
    if (object.gid < first && !has(box_, at)) {
      first = object.gid;
      where = at;
    }
  }
  auto const outside = world_.min(first);
  world_.together([&] {
    if (first == outside)
      throw Error(Exit::deck, "object " + std::to_string(first) + " is at " + place(where) +
                                  " in step " + std::to_string(population.step()) +
                                  " and has left the box from " + place(box_.low) + " to " +
                                  place(box_.high) +
                                  "; problem.bounds is fixed: set it to follow, or "
                                  "problem.steps to fewer");
  });
}

} // namespace strata::contact
