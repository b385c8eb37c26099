#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"

#include <vector>

namespace strata::stream {

/// All combinations of the deck's axes that are measured, in the deck's order, with the shape
/// outermost and the kernel next.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);

} // namespace strata::stream
