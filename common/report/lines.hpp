#pragma once

#include "record.hpp"

#include "base/error.hpp"

#include <string>

namespace strata::report {

/// The lines for scripts. Keys come in a fixed order, numbers in the C locale and SI base
/// units, and no value holds a space: white space and '%' in a name become "%20" and so on.

/// FOM and CHECK lines of every case, in order. No FOM line for a case that is not measured
/// and found right, nor for a figure that is not a finite number.
std::string fact_lines(Record const& record);

/// How a run ended, for its RESULT line.
struct Outcome
{
  Exit exit = Exit::ok;
  Validity validity;
  std::string file; ///< of the record; empty where none was written
};

/// "RESULT v=1 app=... status=PASS ...": the last line of every run. The status follows from
/// the exit code: PASS (0), FAIL (verification, run rule), INCOMPLETE (interrupted), SKIP, and
/// ERROR for the rest.
std::string result_line(std::string const& app, Outcome const& outcome);

} // namespace strata::report
