#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cmath>

namespace strata::contact {

/// When objects are to be divided anew over the ranks, by the imbalance of their tests: where
/// it is beyond a limit and, once they have been divided, has grown by a tenth since. What a
/// division cannot even out is not divided again and again.
class Rebalancing
{
public:
  explicit Rebalancing(double limit)
      : limit_(limit)
  {
  }
  /// To be asked whenever they can be divided, with the imbalance as it is, which is the same
  /// on all ranks; where it says so they must be.
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
