#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"

#include <vector>

namespace strata::stream {

/// Every combination of the deck's axes that tells something, in the deck's order, the shape
/// outermost and the kernel next.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);

} // namespace strata::stream
