#pragma once

#include <cstdint>
#include <string>

namespace strata::measure {

/// How long and in which order to measure: the deck's `run:` part.
struct Rules
{
  std::string tier = "quick"; ///< smoke, quick, reference or official
  int rounds = 20;            ///< samples of every case, at least; exactly in tier smoke
  double min_time_s = 2;      ///< measuring time of the whole run, at least
  double max_time_s = 8;      ///< and at most: what has not converged by then stays so
  double warmup_s = 1;        ///< of every case, never counted
  std::uint64_t seed = 1;     ///< of the order of cases within each round
};

} // namespace strata::measure
