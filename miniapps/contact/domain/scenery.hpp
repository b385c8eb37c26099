#pragma once

#include "order.hpp"
#include "population.hpp"

#include "scene/scene_source.hpp"
#include "search/detect.hpp"

#include <memory>

namespace strata::contact {

/// The objects of a run and their grid. All cases share them, since each sample starts from
/// step 0.
class Scenery
{
public:
  /// Collective. Of the config: how elements are numbered, and what may touch.
  Scenery(SceneSource const& source, driver::Setting const& setting, Config const& config);

  /// The objects in the order of local numbers, points last, by where they are now.
  [[nodiscard]] Ordered ordered(Objects objects) const;
  /// Gathers ghosts within `slack` beyond the reach and sorts all objects into cells.
  void look_around(double slack, Broad broad = Broad::grid);

  /// For the contacts of this rank's elements, after look_around.
  [[nodiscard]] Search search(bool half_list);

  [[nodiscard]] Scene const& scene() const { return population.scene(); }
  [[nodiscard]] index_t bytes() const
  {
    return population.bytes() + grid.bytes() + kept.bytes();
  }

  Population population;
  Grid grid;
  KeptRows kept; ///< of a search in two passes

private:
  double cell_edge_; ///< that elements are numbered by; 0: by gid alone
};

} // namespace strata::contact
