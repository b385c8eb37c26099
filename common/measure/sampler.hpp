#pragma once

#include "rules.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace strata::measure {

/// What to do after a round, and why.
enum class Next
{
  another_round,
  converged,  ///< stop: every median's interval is tight and min_time_s is reached
  all_rounds, ///< stop: tier smoke has made its rounds
  time_is_up  ///< stop: max_time_s is reached and something has not converged
};

/// The samples of several cases.
using Series = std::vector<std::span<double const>>;

/// Decides when enough has been measured. Its inputs are reduced over ranks (maxima and one
/// elapsed time), so that all ranks decide alike.
class StoppingRule
{
public:
  explicit StoppingRule(Rules const& rules)
      : rules_(rules)
      , next_look_(rules.rounds)
  {
  }

  /// To be called once after every round. `samples`: the samples of each case, one per round,
  /// in seconds; `elapsed_s`: measuring time so far, equal on all ranks.
  Next after_round(Series const& samples, double elapsed_s);

private:
  Rules rules_;
  int rounds_done_ = 0;
  int next_look_; ///< round after which convergence is tested next
};

/// True once a case is warm: after at least 3 steps, and `warmup_s` seconds of steps.
bool warmed_up(int steps, double elapsed_s, Rules const& rules);

/// The order of `cases` in a round: a permutation that depends on the arguments only, whatever
/// the rank, compiler or standard library.
std::vector<std::size_t> round_order(std::uint64_t seed, int round, std::size_t cases);

/// Seconds that one sample must last: `floor_s` and 1000 ticks of the clock.
double sample_target(double floor_s, double clock_resolution_s);

/// Whether samples came out too short, as where a case was calibrated while the machine was
/// slow: their median, in seconds per sample, is less than half of the target.
bool too_short(std::span<double const> samples_s, int inner, double target_s);

/// Steps per sample so that it lasts `target_s` when one step takes `step_s`; at least one.
int inner_count(double step_s, double target_s);

/// The number of steps that make a sample of at least `target_s`. The count grows from one
/// until a sample is long enough, because launch and fence dominate the time of a single short
/// step. `step_seconds(inner)`: seconds per step of a sample of `inner` steps, equal on all
/// ranks.
int calibrate(std::function<double(int inner)> const& step_seconds, double target_s);

} // namespace strata::measure
