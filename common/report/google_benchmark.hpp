#pragma once

#include "google_benchmark_flags.hpp"
#include "record.hpp"

#include <ostream>

namespace strata::report {

/// Makes sure, before anything is measured, that --benchmark_out can be written. Throws
/// Error(Exit::results) naming the file.
void probe(GoogleBenchmarkFlags const& flags);

/// Writes Google Benchmark's own reports of samples that we have taken: what --benchmark_format
/// asks for to `out`, and --benchmark_out. A case is a benchmark `app/label`, a sample one
/// repetition of it (so that compare.py can run its U test); a failed case is an error, an
/// unavailable one is left out. On one rank. Throws Error(Exit::results) when the file could
/// not be written to its end.
void replay(Record const& record, GoogleBenchmarkFlags const& flags, std::ostream& out);

} // namespace strata::report
