#pragma once

#include "cases.hpp"

#include "testing/trials.hpp"
#include "trials/trial.hpp"

#include <gtest/gtest.h>

#include <string>

// Every case that there is, for the tests of trials.

namespace strata::mgs {

/// Every combination that makes a case.
inline Config everything(index_t rows, index_t columns, std::string const& matrix = "random")
{
  Config config;
  config.rows = rows;
  config.columns = columns;
  config.algorithm = {};
  for (auto const& one : algorithms())
    config.algorithm.emplace_back(one.name);
  config.variant = {"span", "view", "native", "vendor", "vector_of_vectors"};
  config.layout = SpanLayouts::words();
  config.scalar = {"double", "float"};
  config.results = {"host", "device"};
  config.matrix = {matrix};
  return config;
}

inline driver::Setting setting_of(runtime::Communicator const& world)
{
  driver::Setting setting;
  setting.share = {world.rank(), world.ranks()};
  setting.world = world;
  return setting;
}

/// Calls f(case, trial) for every case that can run here; a trial has made `steps` steps.
template <class F>
void each_trial(Config const& config, int steps, F const& f,
                runtime::Communicator const& world = runtime::Communicator::self())
{
  testing::each_trial(cases(config, setting_of(world)),
                      [&](driver::Case const& one, driver::Trial& trial) {
                        testing::take_steps(trial, steps);
                        f(one, trial);
                      });
}

/// What `name` judges of a trial after one step.
inline double error_of(driver::Trial& trial, std::string const& name)
{
  for (auto const& verdict : trial.verify(1))
    if (verdict.metric == name)
      return verdict.error;
  ADD_FAILURE() << "no verdict " << name;
  return 0;
}

/// Parts of a trial of that layout, or nothing of another one's.
template <class Layout, class T = double, class F>
void with(driver::Trial& trial, F const& f)
{
  if (auto* const found = dynamic_cast<FactorTrial<Layout, T>*>(&trial))
    f(*found);
}
template <class F>
void with_any(driver::Trial& trial, F const& f)
{
  SpanLayouts::for_each([&]<class Layout>() { with<Layout>(trial, f); });
  with<LayoutBest, float>(trial, f);
}

} // namespace strata::mgs
