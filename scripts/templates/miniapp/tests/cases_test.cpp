#include "cases.hpp"

#include <gtest/gtest.h>

namespace strata::appname {

namespace {

/// Calls f(label, trial) for every case on that part of 7001 elements.
template <class F>
void each_trial(runtime::Share share, F const& f)
{
  Config config;
  config.size = 7001;
  config.scalar = {"double", "float"};
  driver::Setting setting;
  setting.share = share;
  auto const all = cases(config, setting);
  EXPECT_EQ(all.size(), config.scalar.size());
  driver::Workspace workspace;
  for (auto const& one : all)
    workspace.reserve(one.slots);
  for (auto const& one : all)
    f(one.label, *one.make(workspace));
}

bool passes(driver::Trial& trial, int steps)
{
  return trial.verify(steps).at(0).passed;
}

TEST(Cases, PassAfterAnyNumberOfStepsOnEveryRank)
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

TEST(Cases, FailWithoutAStep)
{
  each_trial({}, [](std::string const& label, driver::Trial& trial) {
    trial.reset();
    EXPECT_FALSE(passes(trial, 1)) << label;
  });
}

TEST(Cases, FailUnderEveryFault)
{
  for (auto const* const kind : {"value:.", "swap:."})
    each_trial({}, [&](std::string const& label, driver::Trial& trial) {
      trial.reset();
      trial.step();
      verify::Fault::parse(kind).corrupt(trial.output());
      EXPECT_FALSE(passes(trial, 1)) << label << " under " << kind;
    });
}

} // namespace

} // namespace strata::appname
