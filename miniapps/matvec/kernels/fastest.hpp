#pragma once

#include "base/kokkos.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <vector>

// The choice between plans for one product, by trying them on the device.

namespace strata::matvec {

/// The plan by which launch(plan), which may be called any number of times, takes the least
/// time; with one plan without a launch. A kernel's first launch loads it, and is not counted;
/// then all have their turns five times, so that no change of the clock favours one, of which
/// the first launch is not counted: it finds in the cache what another plan left.
template <class Plan, class Launch>
Plan fastest_of(std::vector<Plan> const& plans, Launch const& launch)
{
  constexpr int turns = 5;
  constexpr double turn_seconds = 1e-3; // beside which a fence is short
  constexpr double most_launches = 64;
  if (plans.size() == 1)
    return plans.front();
  auto const seconds = [&](Plan const& plan, int launches) {
    launch(plan);
    Kokkos::fence();
    auto const start = std::chrono::steady_clock::now();
    for (int n = 0; n < launches; ++n)
      launch(plan);
    Kokkos::fence();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (auto const& plan : plans)
    launch(plan);
  auto const launches = static_cast<int>(
      std::clamp(turn_seconds / seconds(plans.front(), 1), 1.0, most_launches));
  std::vector<double> least(plans.size(), std::numeric_limits<double>::infinity());
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t k = 0; k < plans.size(); ++k)
      least[k] = std::min(least[k], seconds(plans[k], launches));
  return plans[static_cast<std::size_t>(std::min_element(least.begin(), least.end()) -
                                        least.begin())];
}

} // namespace strata::matvec
