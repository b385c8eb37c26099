#include "sampler.hpp"

#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace strata::measure {

namespace {

/// Enough for any clock; keeps inner * step far from overflow where a step takes no time.
constexpr int most_steps = 10'000'000;

/// Uniform in [0, bound) without bias: draws above the last whole multiple of `bound` are
/// repeated. (std::uniform_int_distribution depends on the standard library.)
std::uint64_t draw(std::mt19937_64& engine, std::uint64_t bound)
{
  std::uint64_t const unfair = (0 - bound) % bound;
  std::uint64_t number = engine();
  while (number < unfair)
    number = engine();
  return number % bound;
}

std::mt19937_64 engine_of(std::uint64_t seed, int round)
{
  std::seed_seq sequence{static_cast<std::uint32_t>(seed),
                         static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(round)};
  return std::mt19937_64(sequence);
}

} // namespace

Next StoppingRule::after_round(Series const& samples, double elapsed_s)
{
  ++rounds_done_;
  if (rules_.smoke())
    return rounds_done_ < rules_.rounds ? Next::another_round : Next::all_rounds;

  bool const time_is_up = elapsed_s >= rules_.max_time_s;
  bool const enough = rounds_done_ >= next_look_ && elapsed_s >= rules_.min_time_s;
  if (!enough && !time_is_up)
    return Next::another_round;

  bool const all_converged =
      rounds_done_ >= rules_.rounds &&
      std::all_of(samples.begin(), samples.end(), [](std::span<double const> of_case) {
        return measure::converged(summarise(of_case));
      });
  if (all_converged)
    return Next::converged;
  // The next test is after a tenth more rounds: a test after each would sort all samples each
  // time, and stop at a chance convergence more often.
  next_look_ = rounds_done_ + std::max(1, rounds_done_ / 10);
  return time_is_up ? Next::time_is_up : Next::another_round;
}

bool warmed_up(int steps, double elapsed_s, Rules const& rules)
{
  return steps >= 3 && elapsed_s >= rules.warmup_s;
}

std::vector<std::size_t> round_order(std::uint64_t seed, int round, std::size_t cases)
{
  std::vector<std::size_t> order(cases);
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto engine = engine_of(seed, round);
  for (std::size_t left = cases; left > 1; --left)
    std::swap(order[left - 1], order[draw(engine, left)]);
  return order;
}

double sample_target(double floor_s, double clock_resolution_s)
{
  return std::max(floor_s, 1000 * clock_resolution_s);
}

bool too_short(std::span<double const> samples_s, int inner, double target_s)
{
  return summarise(samples_s).median * inner < target_s / 2;
}

int inner_count(double step_s, double target_s)
{
  if (!(step_s * most_steps > target_s))
    return most_steps;
  return std::max(1, static_cast<int>(std::ceil(target_s / step_s)));
}

int calibrate(std::function<double(int inner)> const& step_seconds, double target_s)
{
  int inner = 1;
  while (inner < most_steps) {
    double const step_s = step_seconds(inner);
    if (step_s * inner >= target_s)
      break;
    // A quarter more than needed, so that later samples are long enough; at most tenfold at
    // once, since a short sample estimates the time of a step badly.
    int const wanted = inner_count(step_s, 1.25 * target_s);
    inner = std::min({most_steps, 10 * inner, std::max(inner + 1, wanted)});
  }
  return inner;
}

} // namespace strata::measure
