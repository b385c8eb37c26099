#pragma once

#include "record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace strata::report {

/// Bandwidth of the whole job by the mix of reads and writes, as the ceiling cases have found
/// it in the same rounds on the same devices; B/s.
struct Ceiling
{
  double read = 0, write = 0, copy = 0, triad = 0;
};

/// Of a run whose four ceiling cases were measured; else nothing.
std::optional<Ceiling> ceiling_of(std::vector<Case> const& ceilings);

/// Why a run has no ceiling, in words.
std::string why_no_ceiling(Record const& record);

/// The ceiling of one mix of reads and writes.
struct Bound
{
  double rate = 0;  ///< B/s
  std::string name; ///< "read", "copy-triad"
};

/// The bound of work that moves bytes: of the ceiling case with the same share of reads, or
/// between the two that enclose it, linear in the time per byte. The shares are 0 (write), 1/2
/// (copy), 2/3 (triad) and 1 (read).
Bound bound_of(Ceiling const& ceiling, measure::Work const& work);

/// A case's bytes per second over its bound.
struct Share
{
  double of_bound = 0;
  std::string bound; ///< its name
};

/// Nothing where the case moves no bytes or has no samples, or the run no ceiling.
std::optional<Share> share_of(std::optional<Ceiling> const& ceiling, Case const& one);

} // namespace strata::report
