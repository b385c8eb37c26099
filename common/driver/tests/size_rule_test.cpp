#include "driver/size_rule.hpp"

#include <gtest/gtest.h>

namespace strata::driver {

namespace {

report::Case case_of(std::string const& label, measure::Work const& work, index_t memory_bytes)
{
  report::Case one;
  one.label = label;
  one.work = work;
  one.memory_bytes = memory_bytes;
  return one;
}

} // namespace

TEST(SizeRule, AsksForMemoryAndForTrafficOfEveryRank)
{
  std::vector<report::Case> const cases{
      case_of("large", {500, 500, 0}, 1000),
      case_of("moves little", {300, 300, 0}, 1000),
      case_of("goes over little memory again", {5000, 5000, 0}, 600),
      case_of("rounded down", {960, 0, 0}, 1000),
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(cases_in_cache(cases, 1, 500), Labels());
  EXPECT_EQ(cases_in_cache(cases, 1, 1000),
            (Labels{"moves little", "goes over little memory again"}));
  EXPECT_EQ(cases_in_cache(cases, 2, 500), cases_in_cache(cases, 1, 1000));
  EXPECT_EQ(cases_in_cache(cases, 3, 500).size(), 4);
}

TEST(SizeRule, LeavesOutArithmeticAndWhatWasNotMeasured)
{
  auto bound = case_of("much arithmetic", {10, 10, 641}, 20);
  auto less = case_of("less", {10, 10, 640}, 20);
  auto failed = case_of("failed", {10, 10, 0}, 20);
  failed.status = report::Status::failed;
  EXPECT_EQ(cases_in_cache({bound, less, failed}, 1, 1000), std::vector<std::string>{"less"});
}

} // namespace strata::driver
