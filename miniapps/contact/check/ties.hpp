#pragma once

#include "domain/scenery.hpp"

namespace strata::contact {

/// Pairs of this rank's elements, each counted at the lower gid, and of elements and points,
/// whose distance is that of touching to within 8 units in the last place: where numbers from a
/// file are rounded, rounding decides on them. They are among what the grid has.
index_t near_ties(Scenery const& scenery);

} // namespace strata::contact
