#pragma once

#include "scenery.hpp"

#include "driver/miniapp.hpp"

namespace strata::contact {

/// How evenly the last search was distributed over the ranks. A test is an object in the cells
/// around an element.
struct Load
{
  double tests_per_element = 0;
  double lambda_work = 1;      ///< the most tests of a rank over the ranks' mean
  double ghosts_per_owned = 0; ///< objects, over all ranks
};

/// This rank's tests.
index_t tests_of(Scenery const& scenery);
std::vector<index_t> tests_by_row(Scenery const& scenery);

/// The ratio of the ranks' maximum to their mean; 1 if all are 0. Collective.
double imbalance_of(index_t mine, runtime::Communicator const& world);

/// Collective.
Load load_of(Scenery const& scenery, runtime::Communicator const& world);

/// The facts for a record. Warns of more than a thousand tests per element, unless by brute
/// force: one giant element makes all cells as large as itself.
report::Facts facts_of(Load const& load, bool brute);

} // namespace strata::contact
