#include "driver/validity.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace strata::driver {

namespace {

using Words = std::vector<std::string>;

report::Case case_of(std::string const& label, measure::Work const& work, index_t memory_bytes)
{
  report::Case one;
  one.label = label;
  one.work = work;
  one.memory_bytes = memory_bytes;
  return one;
}

/// A case that meets every rule, just so.
report::Case good_case(std::string const& label)
{
  auto one = case_of(label, {1000, 1000, 1000}, 2000);
  one.samples_s.assign(20, 0.01);
  one.inner = 2;
  one.warmup_s = 1;
  one.checked = 2;
  one.converged = true;
  return one;
}

/// A run that is official, just so.
struct Facts
{
  report::Record record;
  Conduct conduct{.converged = true,
                  .exclusive = true,
                  .measured_s = 10,
                  .sample_floor_s = 0.02,
                  .cache_bytes = 1,
                  .tool = {}};

  Facts()
  {
    record.run.tier = "official";
    record.build.type = "Release";
    record.suite.git = "0123abc";
    record.cases = {good_case("triad"), good_case("copy")};
    record.ceilings = {good_case("ceiling/read")};
  }
};

std::vector<std::string> in_cache(std::vector<report::Case> cases, int ranks, index_t least)
{
  mark_in_cache(cases, ranks, least);
  std::vector<std::string> labels;
  for (auto const& one : cases)
    if (one.in_cache)
      labels.push_back(one.label);
  return labels;
}

TEST(Validity, OfARunThatMeetsEveryRuleIsOfficial)
{
  Facts const facts;
  auto const verdict = judge(facts.record, facts.conduct);
  EXPECT_TRUE(verdict.valid);
  EXPECT_TRUE(verdict.official);
  EXPECT_EQ(verdict.reasons, Words());
}

/// One fact changed for the worse, and the one word that it must cost.
struct Broken
{
  std::string word;
  bool valid;
  std::function<void(Facts&)> change;
};

class BrokenRule : public ::testing::TestWithParam<Broken>
{
};

TEST_P(BrokenRule, HasItsWord)
{
  auto const& [word, valid, change] = GetParam();
  Facts facts;
  change(facts);
  auto const verdict = judge(facts.record, facts.conduct);
  EXPECT_EQ(verdict.reasons, Words{word});
  EXPECT_EQ(verdict.valid, valid);
  EXPECT_FALSE(verdict.official);
  EXPECT_FALSE(explain(word, facts.record, facts.conduct).empty());
}

INSTANTIATE_TEST_SUITE_P(
    Validity, BrokenRule,
    ::testing::Values(
        Broken{"interrupted", false, [](Facts& f) { f.conduct.interrupted = true; }},
        Broken{"verification", false,
               [](Facts& f) { f.record.cases[1].status = report::Status::failed; }},
        Broken{"ceiling", false,
               [](Facts& f) {
                 f.record.ceilings.push_back(good_case("ceiling/copy"));
                 f.record.ceilings[1].status = report::Status::failed;
               }},
        Broken{"nothing_measured", false,
               [](Facts& f) {
                 for (auto& one : f.record.cases)
                   one.status = report::Status::unavailable;
               }},
        Broken{"fault_injected", false, [](Facts& f) { f.conduct.fault_injected = true; }},
        Broken{"tier", true, [](Facts& f) { f.record.run.tier = "reference"; }},
        Broken{"size", true, [](Facts& f) { f.record.cases[1].in_cache = true; }},
        Broken{"cache_unknown", true, [](Facts& f) { f.conduct.cache_bytes = 0; }},
        Broken{"not_converged", true, [](Facts& f) { f.conduct.converged = false; }},
        Broken{"rounds", true, [](Facts& f) { f.record.cases[1].samples_s.pop_back(); }},
        Broken{"run_time", true, [](Facts& f) { f.conduct.measured_s = 9.99; }},
        Broken{"warm_up", true, [](Facts& f) { f.record.cases[1].warmup_s = 0.99; }},
        Broken{"sample_time", true,
               [](Facts& f) { f.record.cases[1].samples_s.assign(20, 0.0099); }},
        Broken{"checks", true, [](Facts& f) { f.record.cases[1].checked = 1; }},
        Broken{"no_ceiling", true, [](Facts& f) { f.record.ceilings.clear(); }},
        Broken{"placement", true, [](Facts& f) { f.conduct.exclusive = false; }},
        Broken{"build_type", true, [](Facts& f) { f.record.build.type = "Debug"; }},
        Broken{"bounds_check", true, [](Facts& f) { f.record.build.bounds_check = true; }},
        Broken{"dirty_tree", true, [](Facts& f) { f.record.suite.dirty = true; }},
        Broken{"dirty_tree", true, [](Facts& f) { f.record.suite.git = "unknown"; }},
        Broken{"tool", true, [](Facts& f) { f.conduct.tool = "libkp.so"; }}),
    [](auto const& one) { return one.param.word + std::to_string(one.index); });

TEST(Validity, AsksOfCeilingsWhatItAsksOfCases)
{
  for (auto const& [word, change] :
       std::vector<std::pair<std::string, void (*)(report::Case&)>>{
           {"rounds", [](report::Case& one) { one.samples_s.pop_back(); }},
           {"warm_up", [](report::Case& one) { one.warmup_s = 0; }},
           {"sample_time", [](report::Case& one) { one.inner = 1; }},
           {"checks", [](report::Case& one) { one.checked = 1; }}}) {
    Facts facts;
    change(facts.record.ceilings[0]);
    EXPECT_EQ(judge(facts.record, facts.conduct).reasons, Words{word});
    EXPECT_TRUE(explain(word, facts.record, facts.conduct).starts_with("ceiling/read: "));
  }
}

TEST(Validity, DoesNotAskOfCasesThatWereNotMeasured)
{
  Facts facts;
  facts.record.cases[1] = case_of("copy", {}, 0);
  facts.record.cases[1].status = report::Status::unavailable;
  EXPECT_EQ(judge(facts.record, facts.conduct).reasons, Words());
}

TEST(Validity, NamesEveryRuleThatIsBroken)
{
  Facts facts;
  facts.conduct = {};
  EXPECT_EQ(judge(facts.record, facts.conduct).reasons,
            (Words{"cache_unknown", "not_converged", "run_time", "placement"}));
}

TEST(Validity, ExplainsWithTheCasesThatBreakTheRule)
{
  Facts facts;
  facts.record.cases[0].in_cache = true;
  EXPECT_EQ(explain("size", facts.record, facts.conduct),
            "triad: a cache may hold the data; make the deck's problem larger");
  facts.record.cases[1].in_cache = true;
  EXPECT_TRUE(explain("size", facts.record, facts.conduct).starts_with("triad and 1 other: "));
  EXPECT_EQ(explain("tier", facts.record, facts.conduct), "set run.tier to official");
}

TEST(InCache, AsksForMemoryAndForTrafficOfEveryRank)
{
  std::vector<report::Case> const cases{
      case_of("large", {500, 500, 0}, 1000),
      case_of("moves little", {300, 300, 0}, 1000),
      case_of("goes over little memory again", {5000, 5000, 0}, 600),
      case_of("rounded down", {960, 0, 0}, 1000),
  };
  EXPECT_EQ(in_cache(cases, 1, 500), Words());
  EXPECT_EQ(in_cache(cases, 1, 1000), (Words{"moves little", "goes over little memory again"}));
  EXPECT_EQ(in_cache(cases, 2, 500), in_cache(cases, 1, 1000));
  EXPECT_EQ(in_cache(cases, 3, 500).size(), 4);
}

TEST(InCache, LeavesOutArithmeticAndWhatWasNotMeasured)
{
  auto bound = case_of("much arithmetic", {10, 10, 641}, 20);
  auto less = case_of("less", {10, 10, 640}, 20);
  auto failed = case_of("failed", {10, 10, 0}, 20);
  failed.status = report::Status::failed;
  EXPECT_EQ(in_cache({bound, less, failed}, 1, 1000), Words{"less"});
}

} // namespace
} // namespace strata::driver
