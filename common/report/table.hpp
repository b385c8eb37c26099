#pragma once

#include "record.hpp"

#include <string>

namespace strata::report {

/// The table of cases for people, and what its columns mean. Axes that have one value in all
/// cases are stated once above it; a case that was not measured has the reason in its row.
/// Empty without cases.
std::string table(Record const& record, bool colour);

} // namespace strata::report
