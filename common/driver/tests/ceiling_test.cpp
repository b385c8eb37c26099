#include "driver/ceiling.hpp"
#include "testing/listener.hpp"
#include "testing/trials.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strata::driver {

namespace {

using testing::each_trial;
using testing::passes;
using testing::take_steps;

/// Enough memory for arrays of 100,000 doubles or so.
Setting small()
{
  Setting setting;
  setting.device_bytes = 18 * 800'008;
  return setting;
}

TEST(Ceiling, HasFourCases)
{
  std::vector<std::string> labels;
  for (auto const& one : ceiling_cases(small()))
    labels.push_back(one.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"ceiling/read", "ceiling/write", "ceiling/copy",
                                              "ceiling/triad"}));
}

TEST(Ceiling, TakesASixthOfTheMemory)
{
  Workspace workspace;
  for (auto const& one : ceiling_cases(small()))
    workspace.reserve(one.slots);
  EXPECT_LE(6 * workspace.bytes(), small().device_bytes);
}

TEST(Ceiling, IsBeyondTheCache)
{
  Setting setting;
  setting.device_bytes = index_t{1} << 40;
  setting.cache_bytes = index_t{1} << 30;
  auto const all = ceiling_cases(setting);
  for (auto const& slot : all.front().slots)
    EXPECT_EQ(slot.bytes, index_t{4} << 30);
}

TEST(Ceiling, PassesAfterAStepAndFailsWithoutOne)
{
  each_trial(ceiling_cases(small()), [](Case const& one, Trial& trial) {
    for (int const steps : {1, 3}) {
      take_steps(trial, steps);
      EXPECT_TRUE(passes(trial, steps)) << one.label;
    }
    trial.reset();
    EXPECT_FALSE(passes(trial)) << one.label;
    take_steps(trial, 1);
    verify::Fault::parse("value:.").corrupt(trial.output());
    EXPECT_FALSE(passes(trial)) << one.label;
  });
}

TEST(Ceiling, CountsItsTraffic)
{
  each_trial(ceiling_cases(small()), [](Case const& one, Trial& trial) {
    double const array = 8 * 100'001;
    double const arrays = one.label == "ceiling/triad"  ? 3
                          : one.label == "ceiling/copy" ? 2
                                                        : 1;
    EXPECT_EQ(trial.metrics().front().amount, arrays * array) << one.label;
  });
}

TEST(Ceiling, LabelsEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial(ceiling_cases(small()), [](Case const&, Trial& trial) {
    take_steps(trial, 1);
    passes(trial);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata::driver
