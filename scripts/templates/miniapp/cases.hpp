#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"

#include <vector>

namespace strata::appname {

/// Every combination of the deck's axes, in the deck's order.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);

} // namespace strata::appname
