#pragma once

#include "scenery.hpp"

#include "driver/miniapp.hpp"

namespace strata::contact {

/// How the search for contacts was spread over the ranks when the grid was last made. A test is
/// an object in the cells around an element.
struct Load
{
  double tests_per_element = 0;
  double lambda_work = 1;      ///< the most tests of a rank over the ranks' mean
  double ghosts_per_owned = 0; ///< objects, over all ranks
};

/// This rank's tests.
index_t tests_of(Scenery const& scenery);
std::vector<index_t> tests_by_row(Scenery const& scenery);

/// The largest of the ranks' numbers over their mean; 1 where all are 0. Collective.
double imbalance_of(index_t mine, runtime::Communicator const& world);

/// Collective.
Load load_of(Scenery const& scenery, runtime::Communicator const& world);

/// As a record has it; with a warning where elements are tested against more than a thousand
/// others though the search is not by brute force: a giant among them makes all cells as large.
report::Facts facts_of(Load const& load, bool brute);

} // namespace strata::contact
