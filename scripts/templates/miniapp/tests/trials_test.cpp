#include "cases.hpp"

#include "testing/listener.hpp"
#include "testing/trials.hpp"

#include <gtest/gtest.h>

namespace strata::appname {

namespace {

using testing::each_trial;
using testing::passes;
using testing::take_steps;

/// All on that part of 7001 elements.
std::vector<driver::Case> cases_of(runtime::Share share)
{
  Config config;
  config.size = 7001;
  config.scalar = {"double", "float"};
  driver::Setting setting;
  setting.share = share;
  return cases(config, setting);
}

TEST(Trials, AreOfEveryVariantAndScalar)
{
  EXPECT_EQ(cases_of({}).size(), 4U);
}

TEST(Trials, PassAfterAnyNumberOfStepsOnEveryRank)
{
  for (auto const share : {runtime::Share{0, 1}, runtime::Share{0, 3}, runtime::Share{2, 3}})
    each_trial(cases_of(share), [](driver::Case const& one, driver::Trial& trial) {
      for (int const steps : {1, 2, 3}) {
        take_steps(trial, steps);
        EXPECT_TRUE(passes(trial, steps)) << one.label << " after " << steps;
      }
    });
}

TEST(Trials, FailWithoutAStep)
{
  each_trial(cases_of({}), [](driver::Case const& one, driver::Trial& trial) {
    trial.reset();
    EXPECT_FALSE(passes(trial)) << one.label;
  });
}

TEST(Trials, FailUnderEveryFault)
{
  each_trial(cases_of({}), [](driver::Case const& one, driver::Trial& trial) {
    for (auto const* const fault : testing::faults_of_output) {
      take_steps(trial, 1);
      EXPECT_TRUE(verify::Fault::parse(fault).corrupt(trial.output())) << fault;
      EXPECT_FALSE(passes(trial)) << one.label << " under " << fault;
    }
  });
}

TEST(Trials, CountTheirWork)
{
  each_trial(cases_of({}), [](driver::Case const& one, driver::Trial& trial) {
    auto const word = one.label.ends_with("float") ? 4 : 8;
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
  each_trial(cases_of({}), [](driver::Case const&, driver::Trial& trial) {
    take_steps(trial, 1);
    passes(trial);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata::appname
