#pragma once

#include "driver/miniapp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace strata::testing {

/// Every fault of an output, at every place.
inline constexpr char const* faults_of_output[] = {
    "value:",       "value@middle:", "value@last:", "value@1:",  "value@2:",
    "value@3:",     "nan:",          "nan@middle:", "nan@last:", "swap:",
    "swap@middle:", "swap@last:",    "shift:",      "half:",     "tail:"};

/// Calls f(case, trial) for every case that can run here. All share one workspace, so that each
/// finds there what the last has left.
template <class F>
void each_trial(std::vector<driver::Case> const& cases, F const& f)
{
  driver::Workspace workspace;
  for (auto const& one : cases)
    workspace.reserve(one.slots);
  for (auto const& one : cases)
    if (one.unavailable.empty())
      f(one, *one.make(workspace));
}

/// Steps from new inputs on.
inline void take_steps(driver::Trial& trial, int steps)
{
  trial.reset();
  for (int step = 0; step < steps; ++step)
    trial.step();
}

/// Whether all verdicts on that many steps are good; there must be one.
inline bool passes(driver::Trial& trial, int steps = 1)
{
  auto const verdicts = trial.verify(steps);
  EXPECT_FALSE(verdicts.empty());
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](verify::Verdict const& verdict) { return verdict.passed; });
}

/// Whether one of the verdicts on that many steps, of this name, is bad.
inline bool rejects(driver::Trial& trial, std::string const& name, int steps = 1)
{
  auto const verdicts = trial.verify(steps);
  return std::any_of(verdicts.begin(), verdicts.end(), [&](verify::Verdict const& verdict) {
    return verdict.metric == name && !verdict.passed;
  });
}

} // namespace strata::testing
