#include "axes.hpp"
#include "cases.hpp"

#include "base/error.hpp"
#include "testing/listener.hpp"
#include "testing/trials.hpp"
#include "trials/dense_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace strata::matvec {

namespace {

using testing::each_trial;
using testing::passes;
using testing::take_steps;

/// Every combination that makes a case.
Config everything(index_t rows, index_t cols)
{
  Config config;
  config.rows = rows;
  config.columns = cols;
  config.matmul_order = cols;
  config.sparse_rows = 200;
  config.batch_count = rows;
  config.kernel = kernel_names();
  config.variant = {"span", "view", "native", "vendor", "vector_of_vectors"};
  config.layout = MatrixLayouts::words();
  config.layout.emplace_back("cxf");
  config.parallel = {"row", "team", "auto"};
  config.scalar = {"double", "float", "half", "bfloat16"};
  config.access = {"default", "restrict", "random_access"};
  config.extents = {"static", "dynamic"};
  config.storage = {"packed", "full"};
  config.partition = {"rows", "grid"};
  config.stencil = {"5pt", "27pt"};
  config.block = {3, 4, 5, 8, 13, 33};
  return config;
}

driver::Setting setting()
{
  driver::Setting one_rank;
  one_rank.device_bytes = index_t{1} << 30;
  return one_rank;
}

TEST(MatvecTrials, PassInEveryCase)
{
  int count = 0;
  for (auto const& [rows, cols] :
       {std::pair<index_t, index_t>{131, 61}, {37, 600}, {1, 1}, {2, 3}})
    each_trial(cases(everything(rows, cols), setting()),
               [&](driver::Case const& one, driver::Trial& trial) {
                 take_steps(trial, 2);
                 EXPECT_TRUE(passes(trial)) << one.label << " " << rows << " x " << cols;
                 EXPECT_EQ(trial.verify(1).size(), 2U) << one.label;
                 ++count;
               });
  EXPECT_GT(count, 200);
}

TEST(MatvecTrials, FailWithoutAStep)
{
  each_trial(cases(everything(131, 61), setting()),
             [](driver::Case const& one, driver::Trial& trial) {
               trial.reset();
               EXPECT_FALSE(passes(trial)) << one.label;
             });
}

TEST(MatvecTrials, FailUnderEveryFault)
{
  each_trial(cases(everything(131, 61), setting()),
             [](driver::Case const& one, driver::Trial& trial) {
               bool const is_matmul = one.label.starts_with("matmul/");
               for (auto const* fault : testing::faults_of_output) {
                 take_steps(trial, 1);
                 EXPECT_TRUE(verify::Fault::parse(fault).corrupt(trial.output()))
                     << one.label << " " << fault;
                 for (auto const* check :
                      {"error_of_rows", is_matmul ? "error_of_elements" : "error_of_every_row"})
                   EXPECT_TRUE(testing::rejects(trial, check))
                       << one.label << " " << fault << " " << check;
               }
             });
}

TEST(MatvecTrials, ShowANaNAsWhatItIs)
{
  auto const fault = verify::Fault::parse("nan@middle:");
  each_trial(cases(everything(131, 61), setting()),
             [&](driver::Case const& one, driver::Trial& trial) {
               take_steps(trial, 1);
               fault.corrupt(trial.output());
               for (auto const& verdict : trial.verify(1))
                 EXPECT_TRUE(std::isnan(verdict.error)) << one.label << " " << verdict.metric;
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
  config.columns = 61;
  config.kernel = {"matvec", "matvec_t"};
  each_trial(cases(config, setting()), [](driver::Case const& one, driver::Trial& trial) {
    EXPECT_EQ(trial.metrics().front().name, "bandwidth");
    EXPECT_EQ(trial.metrics().front().amount, 8.0 * (131 * 61 + 131 + 61)) << one.label;
    EXPECT_EQ(trial.work().flops, 2 * 131 * 61);
  });
  config.kernel = {"symmetric"};
  each_trial(cases(config, setting()), [](driver::Case const&, driver::Trial& trial) {
    EXPECT_EQ(trial.work().bytes(), 8 * (131 * 132 / 2 + 131 + 131));
    EXPECT_EQ(trial.work().flops, 2 * 131 * 131);
  });
}

TEST(MatvecCases, HaveTheVendorsProductOfAFullSymmetricSquare)
{
  Config config;
  config.rows = config.columns = 131;
  config.kernel = {"symmetric"};
  config.storage = {"packed", "full"};
  index_t full = 0;
  for (auto const& one : cases(config, setting()))
    if (one.label.starts_with("symmetric/vendor/left/auto/double/")) {
      ++full;
      EXPECT_EQ(one.control, "symmetric/span/symmetric_lower/auto/double");
      EXPECT_EQ(one.slots.back().bytes, 8 * 131 * 131);
    } else
      EXPECT_NE(one.label.find("/symmetric_lower/"), std::string::npos) << one.label;
  EXPECT_EQ(full, 1);
}

TEST(MatvecTrials, LabelEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial(cases(everything(131, 61), setting()),
             [](driver::Case const&, driver::Trial& trial) {
               take_steps(trial, 1);
               passes(trial);
             });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_FALSE(listener.allocations().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(MatvecCases, HaveAGridOfRanksWhereItReceivesLess)
{
  auto const partitions = [](int ranks, index_t rows, index_t cols) {
    Config config;
    config.rows = rows;
    config.columns = cols;
    config.kernel = {"matvec"};
    config.variant = {"span"};
    config.layout = {"left"};
    auto many = setting();
    many.share.ranks = ranks;
    std::vector<std::string> labels;
    for (auto const& one : cases(config, many))
      labels.push_back(one.label + " against " + one.control);
    return labels;
  };
  auto const rows = std::string("matvec/span/left/auto/double");
  auto const all = partitions(4, 1000, 1000);
  EXPECT_EQ(all.size(), 3U);
  EXPECT_EQ(all.back(), rows + "/grid against " + rows);
  EXPECT_EQ(partitions(3, 1000, 1000).size(), 2U);
  EXPECT_EQ(partitions(6, 1000, 1000).size(), 3U);
  EXPECT_EQ(partitions(7, 1000, 1000).size(), 2U); // a grid of one row
  EXPECT_EQ(partitions(4, 1'000'000, 100).size(), 2U);
  EXPECT_EQ(partitions(2, 100, 1'000'000).size(), 3U);
}

TEST(MatvecCases, HaveThePapersArrays)
{
  std::map<std::string, std::string> controls;
  for (auto const& one : cases(everything(131, 61), setting()))
    controls[one.label] = one.control;
  for (std::string const kernel : {"matvec", "matmul"}) {
    EXPECT_EQ(controls[kernel + "/vector_of_vectors/right/row/double"],
              kernel + "/span/right/row/double");
    EXPECT_EQ(controls.count(kernel + "/span/cxf/row/double"), 1U) << kernel;
  }
  EXPECT_EQ(controls["matvec/span/cxf/row/double"], "matvec/span/right/row/double");
}

TEST(MatvecCases, RefuseFewerRowsThanRanks)
{
  Config config;
  config.rows = 2;
  config.columns = 100;
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

TEST(MatvecCases, AreLeftOutOnAllRanksAlike)
{
  Config config;
  config.rows = 4;
  config.columns = 4;
  config.sparse_rows = 8;
  config.batch_count = 2;
  config.kernel = {"csr", "csc", "batched", "matmul"};
  config.stencil = {"5pt", "27pt"};
  std::vector<std::string> reasons;
  for (int rank = 0; rank < 3; ++rank) {
    driver::Setting of_rank = setting();
    of_rank.share = {rank, 3};
    std::vector<std::string> mine;
    for (auto const& one : cases(config, of_rank))
      mine.push_back(one.label + ": " + one.unavailable);
    if (rank == 0)
      reasons = mine;
    EXPECT_EQ(mine, reasons);
  }
  EXPECT_FALSE(reasons.empty());
}

TEST(MatvecCases, SayWhatIsTooLarge)
{
  auto const reasons = [](Config const& config, int ranks) {
    driver::Setting of_many = setting();
    of_many.share = {0, ranks};
    std::set<std::string> found;
    for (auto const& one : cases(config, of_many))
      found.insert(one.unavailable);
    return found;
  };
  using Reasons = std::set<std::string>;
  Config config;
  config.variant = {"span"};
  config.kernel = {"symmetric"};
  config.rows = index_t{1} << 29;
  config.columns = 1;
  EXPECT_EQ(reasons(config, 1), Reasons{"its order is at most 2^28; lower problem.rows"});
  config.kernel = {"matvec"};
  config.layout = {"right"};
  config.rows = 2;
  config.columns = index_t{1} << 31;
  EXPECT_EQ(reasons(config, 1), Reasons{""});
  config.partition = {"rows"}; // a grid of two columns gathers none of it
  EXPECT_EQ(reasons(config, 2),
            Reasons{"MPI counts a vector's elements in 32 bits; lower problem.columns"});
  config.kernel = {"csr"};
  config.sparse_rows = index_t{1} << 33;
  EXPECT_EQ(reasons(config, 1),
            Reasons{"columns are numbered in 32 bits; lower problem.sparse_rows"});
}

TEST(MatvecCases, NameTheVendorsLibraryAndItsFile)
{
  Config config;
  config.rows = config.columns = 8;
  config.kernel = {"matvec"};
  config.variant = {"vendor"};
  for (auto const& one : cases(config, {})) {
    EXPECT_EQ(one.axes.back().first, "library");
    EXPECT_TRUE(one.label.ends_with("/" + one.axes.back().second)) << one.label;
    auto const fact = [&](char const* name) {
      auto const found = std::find_if(one.problem.begin(), one.problem.end(),
                                      [&](auto const& each) { return each.first == name; });
      return found == one.problem.end() ? std::string() : found->second;
    };
    EXPECT_EQ(fact("library_path").empty(), one.axes.back().second == "none");
    if (device_is_host && one.axes.back().second == "openblas") {
      EXPECT_EQ(fact("library_threads"), std::to_string(Host().concurrency()));
      EXPECT_NE(fact("library_threading"), "");
    }
  }
}

} // namespace

} // namespace strata::matvec
