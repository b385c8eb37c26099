#include "scenery.hpp"

#include "decompose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace strata::contact {

namespace {

/// Elements before points, each by cell (z, y, x) where `edge` is positive, and by gid.
Objects in_order(Objects objects, index_t elements, double edge)
{
  auto const count = objects.all.size();
  auto const key = [&](std::size_t i) {
    auto const& o = objects.all[i];
    auto const cell = [&](std::size_t k) {
      return edge > 0 ? std::floor(o.at[k] / edge) : 0.0;
    };
    return std::tuple(o.gid >= elements, cell(2), cell(1), cell(0), o.gid);
  };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  Objects sorted;
  sorted.all.reserve(count);
  for (auto const i : order) {
    sorted.all.push_back(objects.all[i]);
    if (!objects.corners.empty())
      sorted.corners.push_back(objects.corners[i]);
  }
  return sorted;
}

Objects my_part(Deck const& deck, driver::Setting const& setting, bool ordered)
{
  auto const& scene = deck.scene();
  auto part = decompose(deck.objects(setting.share), setting.world);
  double largest = 0;
  for (auto const& object : part.all)
    for (auto const half : object.half)
      largest = std::max(largest, half);
  double const reach = 2 * setting.world.max(largest) + scene.gap;
  return in_order(std::move(part), scene.elements, ordered ? reach : 0);
}

} // namespace

Scenery::Scenery(Deck const& deck, driver::Setting const& setting, bool ordered)
    : population(my_part(deck, setting, ordered), deck.scene(), setting)
    , shape_test_(make_shape_test(scene().shape, scene().dim))
{
}

void Scenery::look_around(double slack, Broad broad)
{
  // Beyond all rounding of coordinates that have a resolution of reach·2^-20.
  double const rounding = scene().exact ? 0 : population.reach() * 0x1p-16;
  population.gather_ghosts(slack + rounding);
  grid.bin(population.geometry(), population.all(), scene().shape,
           population.reach() + slack + rounding, broad);
}

} // namespace strata::contact
