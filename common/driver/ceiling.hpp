#pragma once

#include "miniapp.hpp"

#include <vector>

namespace strata::driver {

/// The cases that measure the memory bandwidth of this job's devices: labels ceiling/read,
/// write, copy and triad. Arrays are larger than the caches; access is by whole packs and, on a
/// host, by streaming stores into huge pages.
std::vector<Case> ceiling_cases(Setting const& setting);

} // namespace strata::driver
