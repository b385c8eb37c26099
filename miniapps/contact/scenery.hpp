#pragma once

#include "deck.hpp"
#include "grid.hpp"
#include "population.hpp"

#include <memory>

namespace strata::contact {

/// The objects of a run and the grid that they are sorted into: what all cases share, since
/// each sample starts anew from step 0.
class Scenery
{
public:
  /// Collective. `ordered`: elements are numbered in the order of cells.
  Scenery(Deck const& deck, driver::Setting const& setting, bool ordered);

  /// Ghosts within `slack` beyond the reach, and all objects in the grid.
  void look_around(double slack);

  [[nodiscard]] Scene const& scene() const { return population.scene(); }
  [[nodiscard]] index_t bytes() const { return population.bytes() + grid.bytes(); }

  Population population;
  Grid grid;
};

} // namespace strata::contact
