#pragma once

#include "config.hpp"

#include "trials/problem.hpp"

namespace strata::matvec {

/// The sizes that a deck asks for, `auto` resolved for this device and number of ranks.
Problem problem_of(Config const& config, driver::Setting const& setting);

} // namespace strata::matvec
