#pragma once

#include "record.hpp"

#include <string>

namespace strata::report {

/// The cases in a table for people, and what its columns mean. Axes on which all cases agree
/// are stated once above it; a case that could not be measured tells why. Empty without cases.
std::string table(Record const& record, bool colour);

} // namespace strata::report
