#pragma once

#include "google_benchmark_flags.hpp"
#include "record.hpp"

#include <ostream>

namespace strata::report {

/// Checks, before anything is measured, that the file of --benchmark_out can be written. Throws
/// Error(Exit::results) that names the file.
void probe(GoogleBenchmarkFlags const& flags);

/// Writes Google Benchmark's own reports of our samples: in the format of --benchmark_format to
/// `out`, and to the file of --benchmark_out. A case is a benchmark `app/label` and a sample
/// one repetition of it (so that compare.py can run its U test); a failed case is an error, an
/// unavailable one is left out. On one rank. Throws Error(Exit::results) where the file could
/// not be written completely.
void replay(Record const& record, GoogleBenchmarkFlags const& flags, std::ostream& out);

/// Runs what is registered with Google Benchmark as `replay` does, and forgets it: for a
/// program that registers its samples itself, as repetitions of one iteration with manual time.
void run_registered(std::string const& program, GoogleBenchmarkFlags const& flags,
                    std::ostream& out);

} // namespace strata::report
