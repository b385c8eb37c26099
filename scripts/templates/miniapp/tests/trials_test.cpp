#include "cases.hpp"

#include "testing/listener.hpp"

#include <gtest/gtest.h>

namespace strata::appname {

namespace {

/// Calls f(label, trial) for every case that can run here, on that part of 7001 elements.
template <class F>
void each_trial(runtime::Share share, F const& f)
{
  Config config;
  config.size = 7001;
  config.scalar = {"double", "float"};
  driver::Setting setting;
  setting.share = share;
  auto const all = cases(config, setting);
  EXPECT_EQ(all.size(), 4U);
  driver::Workspace workspace;
  for (auto const& one : all)
    workspace.reserve(one.slots);
  for (auto const& one : all)
    if (one.unavailable.empty())
      f(one.label, *one.make(workspace));
}

bool passes(driver::Trial& trial, int steps)
{
  return trial.verify(steps).at(0).passed;
}

TEST(Trials, PassAfterAnyNumberOfStepsOnEveryRank)
{
  for (auto const share : {runtime::Share{0, 1}, runtime::Share{0, 3}, runtime::Share{2, 3}})
    each_trial(share, [](std::string const& label, driver::Trial& trial) {
      trial.reset();
      for (int const steps : {1, 2, 3}) {
        trial.step();
        EXPECT_TRUE(passes(trial, steps)) << label << " after " << steps;
      }
    });
}

TEST(Trials, FailWithoutAStep)
{
  each_trial({}, [](std::string const& label, driver::Trial& trial) {
    trial.reset();
    EXPECT_FALSE(passes(trial, 1)) << label;
  });
}

TEST(Trials, FailUnderEveryFault)
{
  for (auto const* const kind : {"value:.", "swap:."})
    each_trial({}, [&](std::string const& label, driver::Trial& trial) {
      trial.reset();
      trial.step();
      verify::Fault::parse(kind).corrupt(trial.output());
      EXPECT_FALSE(passes(trial, 1)) << label << " under " << kind;
    });
}

TEST(Trials, CountTheirWork)
{
  each_trial({}, [](std::string const& label, driver::Trial& trial) {
    auto const word = label.ends_with("float") ? 4 : 8;
    EXPECT_EQ(trial.work().bytes_read, 7001 * word);
    EXPECT_EQ(trial.work().bytes_written, 7001 * word);
    EXPECT_EQ(trial.work().flops, 7001);
    EXPECT_EQ(trial.metrics().front().name, "bandwidth");
    EXPECT_EQ(trial.metrics().front().amount, 2 * 7001 * word);
  });
}

TEST(Trials, LabelEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial({}, [](std::string const&, driver::Trial& trial) {
    trial.reset();
    trial.step();
    passes(trial, 1);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata::appname
