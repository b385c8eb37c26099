#pragma once

// What the ways cost beside raw pointers.

#include "cases.hpp"

#include <string>
#include <vector>

namespace strata::bench {

/// A case and the seconds of a pass in each round.
struct Timed
{
  Case what;
  std::vector<double> seconds = {};
};

/// Medians of the ratios by round with their 95 % intervals: each way over the raw pointers
/// that know as much of the sizes, and static over dynamic sizes of each way. Then how many of
/// each are within 2 %, or have an interval that reaches there, and which are not.
std::string overheads(std::vector<Timed> const& timed);

} // namespace strata::bench
