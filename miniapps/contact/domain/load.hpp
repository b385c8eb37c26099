#pragma once

#include "scenery.hpp"

#include "driver/miniapp.hpp"

#include <algorithm>
#include <cmath>

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

/// Decides when to divide objects over the ranks again: if the imbalance of tests exceeds a
/// limit and has grown by a tenth since the last division. Imbalance that a division cannot
/// remove causes no further ones.
class Rebalancing
{
public:
  explicit Rebalancing(double limit)
      : limit_(limit)
  {
  }
  /// Takes the present imbalance, the same on all ranks, whenever objects could be divided; if
  /// it returns true they must be.
  [[nodiscard]] bool is_due(double imbalance)
  {
    constexpr double growth = 1.1;
    least_ = std::min(least_, imbalance);
    bool const due = imbalance > limit_ && imbalance > growth * least_;
    if (due) {
      least_ = HUGE_VAL;
      ++times_;
    }
    return due;
  }
  /// How often it has said so.
  [[nodiscard]] index_t times() const { return times_; }

private:
  double limit_;
  double least_ = 0; ///< imbalance since they were divided; before, none
  index_t times_ = 0;
};

} // namespace strata::contact
