#pragma once

#include "config.hpp"

#include "trials/problem.hpp"

namespace strata::matvec {

/// The sizes of a deck; `auto` depends on the device and the number of ranks.
Problem problem_of(Config const& config, driver::Setting const& setting);

} // namespace strata::matvec
