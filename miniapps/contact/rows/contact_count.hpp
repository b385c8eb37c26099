#pragma once

#include "search/detect.hpp"

namespace strata::contact {

/// The number of entries that this rank's rows would have; nothing is stored. For structures
/// whose entries come from an allocator one by one, which would exceed memory, and for pools
/// that are too small.
index_t contact_count(Search const& search);

} // namespace strata::contact
