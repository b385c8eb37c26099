#pragma once

#include "driver/sweep.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A sweep of trials that count, in memory of the host.

namespace strata::driver {

/// Counts its steps in host memory.
class CountingTrial : public Trial
{
public:
  void reset() override { steps_ = std::numeric_limits<double>::quiet_NaN(); }
  void step() override { steps_ = steps_ >= 0 ? steps_ + 1 : 1; }
  [[nodiscard]] measure::Work work() const override { return {8, 16, 1}; }
  [[nodiscard]] std::vector<Metric> metrics() const override { return {{"steps", "1/s", 1}}; }
  [[nodiscard]] report::Facts outcome() const override { return {{"spread", "even"}}; }
  std::vector<verify::Verdict> verify(int steps) override
  {
    return {verify::judge("steps", std::abs(steps_ - steps), 0)};
  }
  verify::Output output() override { return {&steps_, 1, false}; }

private:
  double steps_ = 0;
};

inline Case case_of(std::string const& label, std::string const& control = {})
{
  Case one;
  one.label = label;
  one.control = control;
  one.slots = {{0, 64}};
  one.private_bytes = 100;
  one.make = [](Workspace&) { return std::make_unique<CountingTrial>(); };
  return one;
}

inline measure::Rules smoke()
{
  measure::Rules rules;
  rules.tier = "smoke";
  rules.rounds = 3;
  rules.min_time_s = 0;
  rules.warmup_s = 0;
  return rules;
}

inline Findings run(std::vector<Case> cases, std::string const& fault = {})
{
  Sweep sweep(runtime::Communicator::self(), smoke(), [](std::string const&) {});
  sweep.add(std::move(cases), false);
  return sweep.run(fault.empty() ? std::nullopt : std::optional(verify::Fault::parse(fault)));
}

} // namespace strata::driver
