#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"
#include "trials/problem.hpp"

#include <vector>

namespace strata::contact {

/// All combinations of the deck's axes that are worth measuring.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);
std::vector<driver::Case> cases_of(Shared const& problem);

} // namespace strata::contact
