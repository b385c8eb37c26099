#pragma once

#include "base/types.hpp"

namespace strata::contact {

/// Throws Error(Exit::verification) unless for_each and reduce visit each index below `count`
/// exactly once. Rows of contacts hold offsets and links that such launches write: where one
/// misses an index, the kernels after it access memory that is not theirs, before any answer
/// can be checked. The loops of verify, which the launches do not share, see the visits.
void require_visits(index_t count);

} // namespace strata::contact
