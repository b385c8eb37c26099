#include "measure/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace strata::measure {
namespace {

/// Two cases with steady samples; `noise` is the spread of the second around its median.
class Rounds
{
public:
  explicit Rounds(Rules const& rules)
      : rule_(rules)
      , samples_(2)
  {
  }

  /// Runs rounds of `round_s` seconds until told to stop: the reason and how many there were.
  std::pair<Next, int> run(double round_s, double noise)
  {
    for (int round = 1;; ++round) {
      samples_[0].push_back(1);
      samples_[1].push_back(1 + noise * (round % 2 == 0 ? 1 : -1));
      auto const next = rule_.after_round({samples_[0], samples_[1]}, round * round_s);
      if (next != Next::another_round)
        return {next, round};
    }
  }

private:
  StoppingRule rule_;
  std::vector<std::vector<double>> samples_;
};

Rules rules(std::string tier, double min_time_s)
{
  return {.tier = std::move(tier), .rounds = 20, .min_time_s = min_time_s, .max_time_s = 60};
}

TEST(StoppingRule, StopsAtTheRoundsWhenAllIsQuiet)
{
  EXPECT_EQ(Rounds(rules("quick", 2)).run(0.5, 0.001), std::pair(Next::converged, 20));
}

TEST(StoppingRule, GoesOnUntilTheLeastTime)
{
  EXPECT_EQ(Rounds(rules("quick", 2)).run(0.05, 0.001), std::pair(Next::converged, 40));
}

TEST(StoppingRule, GivesUpOnNoiseAtTheMostTime)
{
  EXPECT_EQ(Rounds(rules("quick", 2)).run(0.5, 0.1), std::pair(Next::time_is_up, 120));
}

TEST(StoppingRule, GivesUpAtTheMostTimeBeforeTheRoundsAreDone)
{
  EXPECT_EQ(Rounds(rules("official", 2)).run(10, 0), std::pair(Next::time_is_up, 6));
}

TEST(StoppingRule, TakesConvergenceAtTheMostTime)
{
  EXPECT_EQ(Rounds(rules("quick", 100)).run(1, 0.001), std::pair(Next::converged, 60));
}

TEST(StoppingRule, GivesSmokeExactlyItsRounds)
{
  EXPECT_EQ(Rounds(rules("smoke", 2)).run(0.001, 0.1), std::pair(Next::all_rounds, 20));
  EXPECT_EQ(Rounds(rules("smoke", 2)).run(100, 0.1), std::pair(Next::all_rounds, 20));
}

TEST(StoppingRule, WaitsForEveryCase)
{
  StoppingRule rule(rules("quick", 0));
  std::vector<std::vector<double>> samples(2);
  for (int round = 1; round < 60; ++round) {
    samples[0].push_back(1);
    samples[1].push_back(round <= 15 ? 1 + 0.1 * (round % 2) : 1);
    auto const next = rule.after_round({samples[0], samples[1]}, round);
    if (round < 20) {
      ASSERT_EQ(next, Next::another_round) << "round " << round;
    } else if (next != Next::another_round) {
      EXPECT_EQ(next, Next::converged);
      EXPECT_GT(round, 20);
      return;
    }
  }
  FAIL() << "a case that became quiet never converged";
}

TEST(Warmup, NeedsThreeStepsAndItsTime)
{
  Rules const one_second{.warmup_s = 1};
  EXPECT_FALSE(warmed_up(2, 5, one_second));
  EXPECT_FALSE(warmed_up(3, 0.9, one_second));
  EXPECT_TRUE(warmed_up(3, 1, one_second));
  EXPECT_TRUE(warmed_up(3, 0, Rules{.warmup_s = 0}));
}

TEST(Floors, RaiseTheRulesOfAnOfficialRunAlone)
{
  Rules const low{
      .tier = "official", .rounds = 1, .min_time_s = 0, .max_time_s = 5, .warmup_s = 0};
  auto const raised = Floors::raise(low);
  EXPECT_EQ(raised.rounds, 20);
  EXPECT_EQ(raised.min_time_s, 10);
  EXPECT_EQ(raised.warmup_s, 1);
  EXPECT_EQ(raised.max_time_s, 5); // the time that the user has
  Rules const high{
      .tier = "official", .rounds = 21, .min_time_s = 11, .max_time_s = 60, .warmup_s = 2};
  EXPECT_EQ(Floors::raise(high).rounds, 21);
  EXPECT_EQ(Floors::raise(high).min_time_s, 11);
  EXPECT_EQ(Floors::raise(high).warmup_s, 2);
  auto other = low;
  other.tier = "reference";
  EXPECT_EQ(Floors::raise(other).rounds, 1);
}

TEST(Floors, OfASampleAreLongerOnAGpu)
{
  auto const floor = [](char const* tier, bool on_gpu) {
    return sample_floor_s(Rules{.tier = tier}, on_gpu);
  };
  EXPECT_EQ(floor("official", true), 0.02);
  EXPECT_EQ(floor("reference", true), 0.02);
  EXPECT_EQ(floor("quick", true), 0.001);
  EXPECT_EQ(floor("official", false), 0.001);
}

TEST(Samples, AreTooShortBelowHalfTheTarget)
{
  std::vector<double> const samples{1e-4, 1e-4, 1};
  EXPECT_TRUE(too_short(samples, 4, 1e-3));
  EXPECT_FALSE(too_short(samples, 5, 1e-3));
}

TEST(RoundOrder, IsAPermutation)
{
  auto order = round_order(7, 3, 100);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::set<std::size_t> const seen(order.begin(), order.end());
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_EQ(*seen.rbegin(), 99U);
}

TEST(RoundOrder, IsTheSameEverywhere)
{
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(round_order(1, 0, 8), (Order{0, 5, 4, 3, 2, 6, 1, 7}));
  EXPECT_EQ(round_order(1, 1, 8), (Order{4, 0, 3, 6, 5, 1, 7, 2}));
  EXPECT_EQ(round_order(2, 0, 8), (Order{7, 0, 5, 4, 6, 2, 1, 3}));
}

TEST(RoundOrder, OfNoneOrOneIsTrivial)
{
  EXPECT_TRUE(round_order(1, 0, 0).empty());
  EXPECT_EQ(round_order(1, 0, 1), std::vector<std::size_t>{0});
}

TEST(RoundOrder, PutsEveryCaseInEveryPlace)
{
  // 6000 rounds of 6: each of the 36 pairs is expected 1000 times, with a deviation of 29.
  std::vector<int> seen(36);
  for (int round = 0; round < 6000; ++round) {
    auto const order = round_order(42, round, 6);
    for (std::size_t place = 0; place < 6; ++place)
      ++seen[place * 6 + order[place]];
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 850);
  EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 1150);
}

TEST(Inner, FillsTheTarget)
{
  EXPECT_EQ(inner_count(1e-4, 1e-3), 10);
  EXPECT_EQ(inner_count(3e-4, 1e-3), 4);
  EXPECT_EQ(inner_count(5, 1e-3), 1);
}

TEST(Inner, IsBoundedWhereAStepTakesNoTime)
{
  EXPECT_EQ(inner_count(0, 1e-3), 10'000'000);
  EXPECT_EQ(inner_count(1e-300, 1e-3), 10'000'000);
}

TEST(SampleTarget, IsAMillisecondOrAThousandTicks)
{
  EXPECT_DOUBLE_EQ(sample_target(1e-3, 1e-9), 1e-3);
  EXPECT_DOUBLE_EQ(sample_target(1e-3, 1e-5), 1e-2);
}

TEST(Calibrate, LooksPastTheCostOfLaunching)
{
  // 20 us once per sample and 1 us per step: the first step alone suggests 48 steps.
  auto const step_s = [](int inner) { return 1e-6 + 20e-6 / inner; };
  int const inner = calibrate(step_s, 1e-3);
  EXPECT_GE(step_s(inner) * inner, 1e-3);
  EXPECT_LT(inner, 1200);
}

TEST(Calibrate, KeepsOneStepThatIsLongEnough)
{
  int calls = 0;
  EXPECT_EQ(calibrate([&](int) { return ++calls, 0.5; }, 1e-3), 1);
  EXPECT_EQ(calls, 1);
}

TEST(Calibrate, EndsWhereNothingTakesTime)
{
  EXPECT_EQ(calibrate([](int) { return 0.0; }, 1e-3), 10'000'000);
}

} // namespace
} // namespace strata::measure
