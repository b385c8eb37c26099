#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace strata::measure {

/// How long and in which order to measure: the deck's `run:` part.
struct Rules
{
  std::string tier = "quick"; ///< smoke, quick, reference or official
  int rounds = 20;            ///< samples of every case: at least, in tier smoke exactly
  double min_time_s = 2;      ///< least measuring time of the whole run
  double max_time_s = 8;      ///< and greatest, converged or not
  double warmup_s = 0.1;      ///< of every case, not measured
  std::uint64_t seed = 1;     ///< of the order of cases within each round

  /// A smoke run shows that all works; nobody reads its times.
  [[nodiscard]] bool smoke() const { return tier == "smoke"; }
  [[nodiscard]] bool official() const { return tier == "official"; }
};

/// What an official run has at least, whatever its deck says.
struct Floors
{
  static constexpr int rounds = 20;
  static constexpr double measuring_s = 10; ///< of the whole run
  static constexpr double warmup_s = 1;     ///< of every case

  /// The rules with what falls below the floors raised to them; those of other tiers unchanged.
  static Rules raise(Rules rules)
  {
    if (rules.official()) {
      rules.rounds = std::max(rules.rounds, rounds);
      rules.min_time_s = std::max(rules.min_time_s, measuring_s);
      rules.warmup_s = std::max(rules.warmup_s, warmup_s);
    }
    return rules;
  }
};

/// Seconds that one sample must last where times are read: 1 ms; 20 ms on a GPU in tiers
/// reference and official, since launch and fence cost 15 to 20 us a sample there.
inline double sample_floor_s(Rules const& rules, bool on_gpu)
{
  return on_gpu && (rules.official() || rules.tier == "reference") ? 20e-3 : 1e-3;
}

} // namespace strata::measure
