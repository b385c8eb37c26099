#pragma once

// Checks cases, and times them in rounds.

#include "cases.hpp"
#include "overheads.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace strata::bench {

struct Plan
{
  int rounds = 31;
  double sample_s = 2e-3; ///< about how long a sample of raw pointers lasts
  std::uint64_t seed = 1; ///< of the order
  std::string spoiled;    ///< the case whose input is spoilt before it is checked; for tests
};

/// Runs each case once and compares its result with what the kernel must give; then takes a
/// sample of each once a round: groups in an order drawn anew each round, and in it the cases
/// of a group one after another, in an order drawn anew too, since machines drift. Before a
/// sample one pass is run that is not timed. Cases that know as much of the sizes make as many
/// passes a sample as the first of them. Throws Error(Exit::verification) that names all wrong
/// cases.
std::vector<Timed> measured(Cases const& cases, Plan const& plan);

} // namespace strata::bench
