#include "counting_trial.hpp"

#include "base/error.hpp"
#include "runtime/node/interrupt.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace strata::driver {

namespace {

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

// A single value has no neighbour to be exchanged with.
TEST(Sweep, SaysThatAFaultAlteredNothing)
{
  auto const found = run({case_of("one"), case_of("two")}, "swap:two");
  for (auto const& one : found.cases)
    EXPECT_EQ(one.status, report::Status::measured) << one.label;
  EXPECT_EQ(found.cases[0].outcome, (report::Facts{{"spread", "even"}}));
  EXPECT_EQ(found.cases[1].outcome,
            (report::Facts{{"spread", "even"}, {"fault", "altered nothing"}}));
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

Findings with_ceilings(std::string const& fault)
{
  Sweep sweep(runtime::Communicator::self(), smoke(), [](std::string const&) {});
  sweep.add({case_of("one")}, false);
  sweep.add({case_of("ceiling/copy"), case_of("ceiling/read")}, true);
  return sweep.run(verify::Fault::parse(fault));
}

TEST(Sweep, ReportsCeilingsAsCasesOfTheirOwn)
{
  auto const found = with_ceilings("slow:one");
  ASSERT_EQ(found.cases.size(), 1U);
  ASSERT_EQ(found.ceilings.size(), 2U);
  for (auto const& one : found.ceilings) {
    EXPECT_EQ(one.samples_s.size(), 3U);
    EXPECT_EQ(one.checked, 2);
    EXPECT_NE(one.primary(), nullptr);
  }
}

TEST(Sweep, FaultsACeilingOnlyWhereAsked)
{
  auto const all = with_ceilings("value:.");
  EXPECT_EQ(all.cases[0].status, report::Status::failed);
  EXPECT_EQ(all.ceilings[0].status, report::Status::measured);
  auto const one = with_ceilings("value:ceiling/copy");
  EXPECT_EQ(one.cases[0].status, report::Status::measured);
  EXPECT_EQ(one.ceilings[0].status, report::Status::failed);
  EXPECT_EQ(one.ceilings[1].status, report::Status::measured);
}

/// Steps of a case that take `step_s` after the first `slow_steps`, which take 2 ms. They may
/// only follow a reset or a step of the same case: all such cases share their memory.
class TimedTrial : public CountingTrial
{
public:
  TimedTrial(double step_s, int slow_steps)
      : step_s_(step_s)
      , slow_steps_(slow_steps)
  {
  }
  void reset() override
  {
    CountingTrial::reset();
    last_ = this;
  }
  void step() override
  {
    EXPECT_EQ(last_, this) << "a step on what another case has left";
    CountingTrial::step();
    auto const wait = std::chrono::duration<double>(stepped_++ < slow_steps_ ? 2e-3 : step_s_);
    auto const end = std::chrono::steady_clock::now() + wait;
    while (std::chrono::steady_clock::now() < end)
      ;
  }

private:
  inline static TimedTrial const* last_ = nullptr;
  double step_s_;
  int slow_steps_;
  int stepped_ = 0;
};

Case timed(std::string const& label, double step_s, int slow_steps)
{
  auto one = case_of(label);
  one.make = [=](Workspace&) { return std::make_unique<TimedTrial>(step_s, slow_steps); };
  return one;
}

Findings run_timed(measure::Rules const& rules, double step_s, int slow_steps)
{
  Sweep sweep(runtime::Communicator::self(), rules, [](std::string const&) {});
  sweep.add({timed("one", step_s, 0), timed("timed", step_s, slow_steps)}, false);
  return sweep.run(std::nullopt);
}

measure::Rules quick(double min_time_s, double max_time_s)
{
  return {.tier = "quick",
          .rounds = 6,
          .min_time_s = min_time_s,
          .max_time_s = max_time_s,
          .warmup_s = 0.01};
}

TEST(Sweep, WarmsUpEachCase)
{
  auto const found = run_timed(quick(0, 0.1), 1e-4, 0);
  for (auto const& one : found.cases) {
    EXPECT_GE(one.warmup_s, 0.01) << one.label;
    EXPECT_EQ(one.checked, 2) << one.label;
  }
}

TEST(Sweep, TakesSamplesAgainThatCameOutTooShort)
{
  // A trial step, three of warm-up and one of calibration are slow: one step seems enough.
  auto rules = quick(0, 0.1);
  rules.warmup_s = 0;
  Findings found;
  int tries = 0;
  do { // beside other work the steps after them may be slow as well
    found = run_timed(rules, 1e-4, 5);
    for (auto const& one : found.cases) {
      EXPECT_EQ(static_cast<int>(one.samples_s.size()), found.rounds) << one.label;
      EXPECT_EQ(one.rank_min_s.size(), one.samples_s.size()) << one.label;
    }
  } while (found.cases[1].inner < 5 && ++tries < 100);
  EXPECT_GE(found.cases[1].inner, 5);
}

TEST(Sweep, HasNotConvergedWhereTheTimeWasOver)
{
  // Six rounds take 6 ms at least: too long.
  auto const found = run_timed(quick(0, 1e-3), 1e-3, 0);
  EXPECT_LT(found.rounds, 6);
  EXPECT_FALSE(found.converged);
  for (auto const& one : found.cases)
    EXPECT_FALSE(one.converged) << one.label;
}

TEST(Sweep, TellsHowLongItMeasured)
{
  auto const found = run_timed(quick(0.05, 5), 1e-4, 0);
  EXPECT_GE(found.measured_s, 0.05);
}

} // namespace

} // namespace strata::driver
