#pragma once

#include "search/detect.hpp"

namespace strata::contact {

/// Entries that rows of this rank would have, none of which is stored: for structures whose
/// entries an allocator gives one by one, past all memory there is, and for pools that are too
/// small. As Search.
index_t contact_count(Search const& search);

} // namespace strata::contact
