#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"
#include "trials/problem.hpp"

#include <vector>

namespace strata::contact {

/// Every combination of the deck's axes that tells something.
std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting);
std::vector<driver::Case> cases_of(Shared const& problem);

} // namespace strata::contact
