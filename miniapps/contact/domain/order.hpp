#pragma once

#include "scene/objects.hpp"

namespace strata::contact {

/// Elements before points, each by cell (z, y, x) where `edge`, a cell's, is positive, and by
/// gid.
Objects in_order(Objects objects, index_t elements, double edge);

} // namespace strata::contact
