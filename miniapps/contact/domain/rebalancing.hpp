#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cmath>

namespace strata::contact {

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
