#pragma once

#include "miniapp.hpp"

#include <vector>

namespace strata::driver {

/// The cases that measure what this job's devices can move: labels ceiling/read, write, copy
/// and triad, over arrays beyond the cache, in the way that is fastest here: whole packs, and
/// on a host streaming stores into huge pages.
std::vector<Case> ceiling_cases(Setting const& setting);

} // namespace strata::driver
