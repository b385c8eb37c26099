#pragma once

#include "record.hpp"

#include <string>

namespace strata::report {

/// The record as JSON text, as `record.schema.json` describes it. A number that is not finite
/// is written as null, and beside it `<name>_reason` says "nan", "inf" or "-inf".
std::string to_json(Record const& record);

} // namespace strata::report
