#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"

#include <vector>

namespace strata::mgs {

/// Every combination of the deck's axes that tells something, for every size.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);

} // namespace strata::mgs
