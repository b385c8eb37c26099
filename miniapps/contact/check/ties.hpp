#pragma once

#include "domain/scenery.hpp"

namespace strata::contact {

/// Number of pairs of this rank's elements, each counted at the lower gid, and of elements and
/// points, whose distance is within 8 units in the last place of the touching distance: with
/// rounded coordinates from a file, rounding decides whether they touch. Only pairs in
/// neighbouring cells of the grid are counted.
index_t near_ties(Scenery const& scenery);

} // namespace strata::contact
