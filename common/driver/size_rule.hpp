#pragma once

#include "base/types.hpp"
#include "report/record.hpp"

#include <string>
#include <vector>

namespace strata::driver {

/// Labels of the measured cases whose data a cache might hold: the arrays, or the traffic of a
/// step, are less than `least` bytes per rank on average. Cases of more than 32 flops per byte
/// are left out: they are bound by arithmetic, wherever their data are.
std::vector<std::string> cases_in_cache(std::vector<report::Case> const& cases, int ranks,
                                        index_t least);

} // namespace strata::driver
