#include "base/error.hpp"
#include "driver/sweep.hpp"
#include "runtime/node/interrupt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace strata::driver {

namespace {

/// Counts its steps in host memory.
class CountingTrial : public Trial
{
public:
  void reset() override { steps_ = std::numeric_limits<double>::quiet_NaN(); }
  void step() override { steps_ = steps_ >= 0 ? steps_ + 1 : 1; }
  [[nodiscard]] measure::Work work() const override { return {8, 16, 1}; }
  [[nodiscard]] std::vector<Metric> metrics() const override { return {{"steps", "1/s", 1}}; }
  [[nodiscard]] report::Facts outcome() const override { return {{"spread", "even"}}; }
  std::vector<verify::Verdict> verify(int steps) override
  {
    return {verify::judge("steps", std::abs(steps_ - steps), 0)};
  }
  verify::Output output() override { return {&steps_, 1, sizeof(double), false}; }

private:
  double steps_ = 0;
};

Case case_of(std::string const& label, std::string const& control = {})
{
  Case one;
  one.label = label;
  one.control = control;
  one.slots = {{0, 64}};
  one.private_bytes = 100;
  one.make = [](Workspace&) { return std::make_unique<CountingTrial>(); };
  return one;
}

measure::Rules smoke()
{
  measure::Rules rules;
  rules.tier = "smoke";
  rules.rounds = 3;
  rules.min_time_s = 0;
  rules.warmup_s = 0;
  return rules;
}

Findings run(std::vector<Case> cases, std::string const& fault = {})
{
  Sweep sweep(runtime::Communicator::self(), smoke(), [](std::string const&) {});
  sweep.add(std::move(cases), false);
  return sweep.run(fault.empty() ? std::nullopt : std::optional(verify::Fault::parse(fault)));
}

TEST(Sweep, MeasuresEveryCaseInEveryRound)
{
  auto const found = run({case_of("one"), case_of("two", "one")});
  ASSERT_EQ(found.cases.size(), 2U);
  EXPECT_EQ(found.rounds, 3);
  EXPECT_FALSE(found.interrupted);
  for (auto const& one : found.cases) {
    EXPECT_EQ(one.status, report::Status::measured) << one.label;
    EXPECT_EQ(one.samples_s.size(), 3U);
    EXPECT_EQ(one.work.bytes(), 24);
    EXPECT_EQ(one.memory_bytes, 164);
    EXPECT_TRUE(one.checks.front().passed);
    EXPECT_EQ(one.primary()->metric, "steps");
    EXPECT_EQ(one.outcome, (report::Facts{{"spread", "even"}}));
  }
  EXPECT_EQ(found.cases[0].label, "one");
  EXPECT_TRUE(found.cases[0].ratios.empty());
  ASSERT_EQ(found.cases[1].ratios.size(), 1U);
  EXPECT_EQ(found.cases[1].ratios[0].against, "one");
}

TEST(Sweep, CountsPooledMemoryOnce)
{
  Sweep sweep(runtime::Communicator::self(), smoke(), [](std::string const&) {});
  auto none = case_of("three");
  none.unavailable = "there is no such thing here";
  none.shared_bytes = 1000;
  auto sharing = case_of("two");
  sharing.shared_bytes = 10;
  sweep.add({sharing, sharing, none}, false);
  EXPECT_EQ(sweep.bytes(), 64 + 2 * 100 + 10);
}

TEST(Sweep, GoesOnAfterACaseThatFails)
{
  for (std::string const kind : {"value:two", "skip:two"}) {
    auto const found = run({case_of("one"), case_of("two"), case_of("three", "two")}, kind);
    ASSERT_EQ(found.cases.size(), 3U);
    EXPECT_EQ(found.cases[0].status, report::Status::measured);
    EXPECT_EQ(found.cases[1].status, report::Status::failed) << kind;
    EXPECT_TRUE(found.cases[1].figures().empty());
    EXPECT_TRUE(found.cases[1].samples_s.empty());
    EXPECT_EQ(found.cases[2].status, report::Status::measured);
    EXPECT_TRUE(found.cases[2].ratios.empty()) << "a ratio to a case that failed";
  }
}

TEST(Sweep, GoesOnAfterACheckThatTellsWhyItFails)
{
  class Telling final : public CountingTrial
  {
  public:
    std::vector<verify::Verdict> verify(int) override
    {
      throw Error(Exit::verification, "column 3 depends on those before it");
    }
  };
  auto telling = case_of("two");
  telling.make = [](Workspace&) { return std::make_unique<Telling>(); };
  auto const found = run({case_of("one"), telling, case_of("three")});
  EXPECT_EQ(found.cases[1].status, report::Status::failed);
  EXPECT_EQ(found.cases[1].why(), "column 3 depends on those before it");
  EXPECT_EQ(found.cases[2].status, report::Status::measured);
}

TEST(Sweep, MeasuresACaseThatIsSlowed)
{
  auto const found = run({case_of("one"), case_of("two")}, "slow:two");
  for (auto const& one : found.cases) {
    EXPECT_EQ(one.status, report::Status::measured) << one.label;
    EXPECT_TRUE(one.checks.front().passed) << one.label;
  }
}

/// All ranks find at once that it cannot step.
class StuckTrial : public CountingTrial
{
public:
  void step() override
  {
    runtime::Communicator::self().together([] { throw Error(Exit::deck, "no way on"); });
  }
};

TEST(Sweep, EndsWithWhatAllRanksFindInAStep)
{
  auto stuck = case_of("two");
  stuck.make = [](Workspace&) { return std::make_unique<StuckTrial>(); };
  try {
    run({case_of("one"), stuck});
    FAIL() << "it went on";
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::deck);
    EXPECT_STREQ(error.what(), "case two: no way on");
  }
}

/// Gets SIGTERM in its `number`-th step, or check.
class TerminatedTrial : public CountingTrial
{
public:
  TerminatedTrial(int in_step, int in_check)
      : in_step_(in_step)
      , in_check_(in_check)
  {
  }
  void step() override
  {
    CountingTrial::step();
    if (++stepped_ == in_step_)
      std::raise(SIGTERM);
  }
  std::vector<verify::Verdict> verify(int steps) override
  {
    if (++checked_ == in_check_)
      std::raise(SIGTERM);
    return CountingTrial::verify(steps);
  }

private:
  int in_step_;
  int in_check_;
  int stepped_ = 0;
  int checked_ = 0;
};

Case terminated(int in_step, int in_check)
{
  auto one = case_of("one");
  one.make = [=](Workspace&) { return std::make_unique<TerminatedTrial>(in_step, in_check); };
  return one;
}

/// Of a run of two cases, the first of which is terminated, in a process of its own: 1 where it
/// was not interrupted, else 2 and another 1 for each case that is nevertheless complete.
[[noreturn]] void exit_with_interrupted(Case first, measure::Rules const& rules)
{
  runtime::watch_interrupts();
  Sweep sweep(runtime::Communicator::self(), rules, [](std::string const&) {});
  sweep.add({std::move(first), case_of("two")}, false);
  auto const found = sweep.run(std::nullopt);
  int code = found.interrupted ? 2 : 1;
  for (auto const& one : found.cases)
    code += found.interrupted && one.status != report::Status::incomplete ? 1 : 0;
  std::_Exit(code);
}

TEST(Sweep, HearsASignalBeforeItBegins)
{
  auto untouched = case_of("one");
  untouched.make = [](Workspace&) -> std::unique_ptr<Trial> { std::_Exit(1); };
  EXPECT_EXIT(
      {
        runtime::watch_interrupts();
        std::raise(SIGTERM);
        exit_with_interrupted(untouched, smoke());
      },
      ::testing::ExitedWithCode(2), "");
}

TEST(Sweep, HearsASignalInWarmUp)
{
  auto rules = smoke();
  rules.tier = "quick";
  rules.warmup_s = 3600;
  EXPECT_EXIT(exit_with_interrupted(terminated(5, 0), rules), ::testing::ExitedWithCode(2), "");
}

TEST(Sweep, HearsASignalInItsClosingChecks)
{
  EXPECT_EXIT(exit_with_interrupted(terminated(0, 2), smoke()), ::testing::ExitedWithCode(3),
              "");
}

TEST(Sweep, KeepsWhatIsUnavailableWithItsReason)
{
  auto none = case_of("two");
  none.unavailable = "there is no such thing here";
  none.make = {};
  auto const found = run({case_of("one"), none});
  EXPECT_EQ(found.cases[1].status, report::Status::unavailable);
  EXPECT_EQ(found.cases[1].reason, "there is no such thing here");
}

TEST(Sweep, OfCeilingCasesReportsTheirRatesAlone)
{
  Sweep sweep(runtime::Communicator::self(), smoke(), [](std::string const&) {});
  sweep.add({case_of("ceiling/copy")}, true);
  sweep.add({case_of("one")}, false);
  auto const found = sweep.run(verify::Fault::parse("value:ceiling"));
  ASSERT_EQ(found.cases.size(), 1U);
  ASSERT_TRUE(found.ceiling);
  EXPECT_GT(found.ceiling->copy, 0);
  EXPECT_EQ(found.ceiling->read, 0);
}

} // namespace

} // namespace strata::driver
