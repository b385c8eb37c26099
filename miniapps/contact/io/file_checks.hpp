#pragma once

#include "file_contents.hpp"
#include "readers.hpp"

#include <limits>

// What no file may hold. All functions are collective and throw the same on all ranks.

namespace strata::contact {

/// Some of a file's things, by number.
struct Noted
{
  index_t first = std::numeric_limits<index_t>::max();
  index_t count = 0;

  void add(index_t number)
  {
    first = std::min(first, number);
    ++count;
  }
  /// Of all ranks.
  [[nodiscard]] Noted over(runtime::Communicator const& world) const
  {
    return {world.min(first), world.sum(count)};
  }
};

/// Throws if any rank has noted something, as "points.csv: point 17 is the first of 2 <what>".
void refuse_any(InputFile const& file, runtime::Communicator const& world, Noted const& noted,
                std::string const& thing, std::string const& what);

/// Numbers that are not finite, z in two dimensions, negative radii.
void check_points(InputFile const& file, Cloud const& cloud, int dim,
                  runtime::Communicator const& world);

/// Refuses a negative gap that exceeds the sum of two radii, coordinates too large for double
/// precision to tell contacts apart, and reaches for which sums of lengths and barycentric
/// coordinates are not exact. Returns whether all arithmetic is exact.
bool check_objects(InputFile const& file, FileContents const& contents, Config const& config,
                   runtime::Communicator const& world);

} // namespace strata::contact
