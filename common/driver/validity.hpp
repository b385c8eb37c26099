#pragma once

#include "base/types.hpp"
#include "report/record.hpp"

#include <string>
#include <vector>

// What makes a run valid, and official: contract.md's run rules, each with its word.

namespace strata::driver {

/// How a run went, so far as its record does not tell.
struct Conduct
{
  bool interrupted = false;
  bool fault_injected = false;
  bool converged = false;    ///< every measured case, before the time was over
  bool exclusive = false;    ///< no rank shares its device or cores with another
  double measured_s = 0;     ///< time of the rounds
  double sample_floor_s = 0; ///< what a sample lasts at least
  index_t cache_bytes = 0;   ///< last-level cache of a rank's device; 0: unknown
  std::string tool;          ///< a profiling tool that is loaded
};

/// Marks the measured cases whose data a cache might hold: the arrays, or the traffic of a
/// step, are less than `least` bytes per rank on average. Cases of more than 32 flops per byte
/// are left out: they are bound by arithmetic, wherever their data are.
void mark_in_cache(std::vector<report::Case>& cases, int ranks, index_t least);

/// Whether a run with this record and conduct is valid, and official, and why not: one word for
/// each rule that is broken. The record's own verdict is not read.
report::Validity judge(report::Record const& record, Conduct const& conduct);

/// What a broken rule asks for, with the cases that break it: "triad/span/left/double and 3
/// others: fewer than 20 samples; raise run.max_time_s".
std::string explain(std::string const& word, report::Record const& record,
                    Conduct const& conduct);

} // namespace strata::driver
