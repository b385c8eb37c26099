#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"

#include <vector>

namespace strata::mgs {

/// All combinations of the deck's axes that are measured, for every size.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);

} // namespace strata::mgs
