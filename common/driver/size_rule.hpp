#pragma once

#include "base/types.hpp"
#include "report/record.hpp"

#include <string>
#include <vector>

namespace strata::driver {

/// Labels of the measured cases whose data a cache might hold: of a rank, on average, the
/// arrays or what a step moves are less than `least` bytes. A case of more than 32 flops a byte
/// is not among them: arithmetic bounds it wherever its data are.
std::vector<std::string> cases_in_cache(std::vector<report::Case> const& cases, int ranks,
                                        index_t least);

} // namespace strata::driver
