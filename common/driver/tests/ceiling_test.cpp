#include "driver/ceiling.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace strata::driver {

namespace {

/// Enough memory for arrays of 100,000 doubles or so.
Setting small()
{
  Setting setting;
  setting.device_bytes = 18 * 800'008;
  return setting;
}

/// Calls f(label, trial) for every case.
template <class F>
void each_trial(F const& f)
{
  Workspace workspace;
  auto const all = ceiling_cases(small());
  for (auto const& one : all)
    workspace.reserve(one.slots);
  EXPECT_LE(6 * workspace.bytes(), small().device_bytes);
  for (auto const& one : all)
    f(one.label, *one.make(workspace));
}

TEST(Ceiling, HasFourCases)
{
  std::vector<std::string> labels;
  for (auto const& one : ceiling_cases(small()))
    labels.push_back(one.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"ceiling/read", "ceiling/write", "ceiling/copy",
                                              "ceiling/triad"}));
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
  each_trial([](std::string const& label, Trial& trial) {
    for (int const steps : {1, 3}) {
      trial.reset();
      for (int i = 0; i < steps; ++i)
        trial.step();
      EXPECT_TRUE(trial.verify(steps).front().passed) << label;
    }
    if (label != "ceiling/read") {
      trial.reset();
      EXPECT_FALSE(trial.verify(1).front().passed) << label;
    }
  });
}

TEST(Ceiling, CountsItsTraffic)
{
  each_trial([](std::string const& label, Trial& trial) {
    double const array = 8 * 100'001;
    double const arrays = label == "ceiling/triad" ? 3 : label == "ceiling/copy" ? 2 : 1;
    EXPECT_EQ(trial.metrics().front().amount, arrays * array) << label;
  });
}

TEST(Ceiling, LabelsEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial([](std::string const&, Trial& trial) {
    trial.reset();
    trial.step();
    trial.verify(1);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata::driver
