#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"

#include <vector>

namespace strata::matvec {

/// Every combination of the deck's axes that tells something.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);

} // namespace strata::matvec
