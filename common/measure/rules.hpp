#pragma once

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
  double warmup_s = 1;        ///< of every case, not measured
  std::uint64_t seed = 1;     ///< of the order of cases within each round
};

} // namespace strata::measure
