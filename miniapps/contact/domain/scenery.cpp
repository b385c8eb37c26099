#include "scenery.hpp"

#include "decompose.hpp"

#include "scene/stretches.hpp"

#include <algorithm>

namespace strata::contact {

namespace {

/// Sets bodies by problem.between: objects of one body do not touch.
void regroup(std::vector<Object>& objects, std::string const& between, index_t elements)
{
  if (between == "bodies")
    return;
  for (auto& object : objects)
    if (object.gid < elements)
      object.body = between == "elements" ? object.gid : 0;
}

Objects my_part(SceneSource const& source, driver::Setting const& setting, Config const& config)
{
  auto const& scene = source.scene();
  auto part = decompose(source.objects(setting.share), setting.world);
  regroup(part.all, config.between, scene.elements);
  double const largest =
      largest_of("strata::contact largest half", part.all.size(), [&](std::size_t i) {
        auto const& half = part.all[i].half;
        return std::max({half[0], half[1], half[2]});
      });
  double const reach = 2 * setting.world.max(largest) + scene.gap;
  return in_order(std::move(part), scene.elements, config.reorder ? reach : 0).objects;
}

} // namespace

Scenery::Scenery(SceneSource const& source, driver::Setting const& setting,
                 Config const& config)
    : population(my_part(source, setting, config), source.scene(), setting)
    , cell_edge_(config.reorder ? population.reach() : 0)
{
}

Ordered Scenery::ordered(Objects objects) const
{
  return in_order(std::move(objects), scene().elements, cell_edge_, scene().bounds,
                  population.step());
}

Search Scenery::search(bool half_list)
{
  return {scene(),  grid, kept, population.rows(), static_cast<std::int32_t>(population.step()),
          half_list};
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
