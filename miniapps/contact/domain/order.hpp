#pragma once

#include "scene/objects.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// Objects, and the places that they had before they were ordered.
struct Ordered
{
  Objects objects;
  std::vector<std::uint32_t> from;
};

/// Elements before points, each by the cell (z, y, x) that it is in at `step`, where `edge`, a
/// cell's, is positive, and by gid.
Ordered in_order(Objects objects, index_t elements, double edge, Bounds const& bounds = {},
                 std::int64_t step = 0);

} // namespace strata::contact
