#include "every_case.hpp"

#include "base/error.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace strata::mgs {

namespace {

using testing::passes;

/// Whether a verdict is bad, or the check says in its own words why it fails.
bool is_rejected(driver::Trial& trial, int steps)
{
  try {
    return !passes(trial, steps);
  } catch (Error const& error) {
    return error.exit() == Exit::verification;
  }
}

TEST(MgsFaults, FailWithoutAStep)
{
  each_trial(everything(131, 5), 0, [](driver::Case const& one, driver::Trial& trial) {
    EXPECT_FALSE(passes(trial)) << one.label;
  });
}

TEST(MgsFaults, FailUnderEveryFault)
{
  for (std::string const matrix : {"random", "kahan"})
    each_trial(everything(131, 5, matrix), 0,
               [&](driver::Case const& one, driver::Trial& trial) {
                 for (auto const* fault : testing::faults_of_output) {
                   testing::take_steps(trial, 1);
                   EXPECT_TRUE(verify::Fault::parse(fault).corrupt(trial.output()))
                       << one.label << " " << fault;
                   EXPECT_TRUE(is_rejected(trial, 1)) << one.label << " " << fault;
                 }
               });
}

TEST(MgsFaults, FailUnderAFaultAfterMoreSteps)
{
  for (std::string const matrix : {"random", "kahan"})
    for (auto const* fault :
         {"value:", "value@middle:", "nan@1:", "swap:", "shift:", "half:", "tail:"})
      each_trial(everything(131, 5, matrix), 2,
                 [&](driver::Case const& one, driver::Trial& trial) {
                   EXPECT_TRUE(verify::Fault::parse(fault).corrupt(trial.output()));
                   EXPECT_TRUE(is_rejected(trial, 2)) << one.label << " " << fault;
                 });
}

TEST(MgsFaults, ShowANaNAsWhatItIs)
{
  each_trial(everything(131, 5), 1, [](driver::Case const& one, driver::Trial& trial) {
    verify::Fault::parse("nan:").corrupt(trial.output());
    EXPECT_TRUE(std::isnan(error_of(trial, "orthogonality"))) << one.label;
    EXPECT_TRUE(std::isnan(error_of(trial, "residual"))) << one.label;
  });
}

// R of the second step must be I.
TEST(MgsFaults, RejectAnRThatIsNotOfTheQBefore)
{
  each_trial(everything(131, 5), 2, [](driver::Case const& one, driver::Trial& trial) {
    EXPECT_FALSE(testing::rejects(trial, "r_of_orthonormal", 2)) << one.label;
    verify::Fault::parse("value@last:").corrupt(trial.output());
    EXPECT_TRUE(testing::rejects(trial, "r_of_orthonormal", 2)) << one.label;
    EXPECT_FALSE(testing::rejects(trial, "orthogonality", 2)) << one.label;
  });
}

/// So many that the check has a work item for each patch of products.
TEST(MgsFaults, PassOnManyColumnsAndFailWithAFaultInThem)
{
  auto const world = runtime::Communicator::world();
  each_trial(
      everything(451, 131), 1,
      [&](driver::Case const& one, driver::Trial& trial) {
        EXPECT_TRUE(passes(trial)) << one.label;
        verify::Fault::parse("value:.").corrupt(trial.output());
        EXPECT_GT(error_of(trial, "orthogonality"), 1e-9) << one.label;
        EXPECT_FALSE(passes(trial)) << one.label;
      },
      world);
}

TEST(MgsFaults, FailWithAFaultInR)
{
  for (auto const& [j, k] : std::vector<std::pair<index_t, index_t>>{{1, 3}, {2, 2}, {3, 1}})
    each_trial(everything(131, 5), 1, [&](driver::Case const& one, driver::Trial& trial) {
      double const change = one.label.find("/float") == std::string::npos ? 1e-6 : 1e-3;
      with_any(trial, [&](auto& found) {
        Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged> const where(
            found.factor().r(j, k));
        double value = 0;
        Kokkos::deep_copy(value, where);
        Kokkos::deep_copy(where, value * (1 + change) + change);
      });
      EXPECT_FALSE(passes(trial)) << one.label << " " << j << " " << k;
    });
}

} // namespace

} // namespace strata::mgs
