#include "axes.hpp"
#include "cases.hpp"
#include "dense_trial.hpp"

#include "base/error.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace strata::matvec {

namespace {

/// Every combination that makes a case.
Config everything(index_t rows, index_t cols)
{
  Config config;
  config.rows = rows;
  config.cols = cols;
  config.matmul_order = cols;
  config.sparse_rows = 200;
  config.batch_count = rows;
  config.kernel = kernel_names();
  config.variant = {"span", "view", "native", "vendor", "vector_of_vectors"};
  config.layout = MatrixLayouts::names();
  config.layout.emplace_back("cxf");
  config.parallel = {"row", "team", "auto"};
  config.scalar = {"double", "float"};
  config.access = {"default", "restrict", "random_access"};
  config.extents = {"static", "dynamic"};
  config.partition = {"rows", "grid"};
  config.stencil = {"5pt", "27pt"};
  config.block = {3, 8, 13};
  return config;
}

/// Calls f(label, trial) for every case that can run here.
template <class F>
void each_trial(Config const& config, F const& f)
{
  driver::Workspace workspace;
  driver::Setting setting;
  setting.device_bytes = index_t{1} << 30;
  auto const all = cases(config, setting);
  for (auto const& one : all)
    workspace.reserve(one.slots);
  for (auto const& one : all)
    if (one.unavailable.empty())
      f(one.label, *one.make(workspace));
}

bool passes(driver::Trial& trial)
{
  auto const verdicts = trial.verify(1);
  EXPECT_EQ(verdicts.size(), 2U);
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](verify::Verdict const& verdict) { return verdict.passed; });
}

TEST(MatvecTrials, PassInEveryCase)
{
  int count = 0;
  for (auto const& [rows, cols] :
       {std::pair<index_t, index_t>{131, 61}, {37, 600}, {1, 1}, {2, 3}})
    each_trial(everything(rows, cols), [&](std::string const& label, driver::Trial& trial) {
      trial.reset();
      trial.step();
      trial.step();
      EXPECT_TRUE(passes(trial)) << label << " " << rows << " x " << cols;
      ++count;
    });
  EXPECT_GT(count, 200);
}

TEST(MatvecTrials, FailWithoutAStep)
{
  each_trial(everything(131, 61), [](std::string const& label, driver::Trial& trial) {
    trial.reset();
    EXPECT_FALSE(passes(trial)) << label;
  });
}

TEST(MatvecTrials, FailWithAFault)
{
  for (std::string const kind : {"value:.", "swap:."})
    each_trial(everything(131, 61), [&](std::string const& label, driver::Trial& trial) {
      trial.reset();
      trial.step();
      verify::Fault::parse(kind).corrupt(trial.output());
      EXPECT_FALSE(passes(trial)) << label << " " << kind;
    });
}

TEST(MatvecTrials, ResetAfterAnotherCaseHasUsedTheMemory)
{
  Config config = everything(61, 61);
  driver::Workspace workspace;
  auto const all = cases(config, {});
  for (auto const& one : all)
    workspace.reserve(one.slots);
  std::vector<std::unique_ptr<driver::Trial>> trials;
  for (auto const& one : all)
    if (one.unavailable.empty())
      trials.push_back(one.make(workspace));
  for (int round = 0; round < 2; ++round)
    for (auto const& trial : trials) {
      trial->reset();
      trial->step();
      Kokkos::fence();
      EXPECT_TRUE(passes(*trial));
    }
}

TEST(MatvecTrials, CountCompulsoryBytesFirst)
{
  Config config;
  config.rows = 131;
  config.cols = 61;
  config.kernel = {"matvec", "matvec_t"};
  each_trial(config, [](std::string const& label, driver::Trial& trial) {
    EXPECT_EQ(trial.metrics().front().name, "bandwidth");
    EXPECT_EQ(trial.metrics().front().amount, 8.0 * (131 * 61 + 131 + 61)) << label;
    EXPECT_EQ(trial.work().flops, 2 * 131 * 61);
  });
  config.kernel = {"symmetric"};
  each_trial(config, [](std::string const&, driver::Trial& trial) {
    EXPECT_EQ(trial.work().bytes(), 8 * (131 * 132 / 2 + 131 + 131));
    EXPECT_EQ(trial.work().flops, 2 * 131 * 131);
  });
}

TEST(MatvecTrials, LabelEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial(everything(131, 61), [](std::string const&, driver::Trial& trial) {
    trial.reset();
    trial.step();
    passes(trial);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_FALSE(listener.allocations().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(MatvecCases, RefuseFewerRowsThanRanks)
{
  Config config;
  config.rows = 2;
  config.cols = 100;
  driver::Setting setting;
  setting.share = {0, 3};
  try {
    cases(config, setting);
    FAIL() << "3 ranks share 2 rows";
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::deck);
    EXPECT_STREQ(error.what(), "problem.rows is 2 for 3 ranks; raise it or use fewer ranks");
  }
}

TEST(MatvecCases, NameTheVendorsLibraryAndItsFile)
{
  Config config;
  config.rows = config.cols = 8;
  config.kernel = {"matvec"};
  config.variant = {"vendor"};
  for (auto const& one : cases(config, {})) {
    EXPECT_EQ(one.axes.back().first, "library");
    EXPECT_TRUE(one.label.ends_with("/" + one.axes.back().second)) << one.label;
    EXPECT_EQ(one.problem.back().first, "library_path");
    EXPECT_EQ(one.problem.back().second.empty(), one.axes.back().second == "none");
  }
}

} // namespace

} // namespace strata::matvec
