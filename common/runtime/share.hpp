#pragma once

#include "base/types.hpp"

#include <algorithm>

namespace strata::runtime {

/// A rank's contiguous part [begin, end) of a global count. Parts of two ranks differ by at
/// most one element; the first `count % ranks` ranks have the longer ones.
struct Share
{
  int rank = 0;
  int ranks = 1;

  [[nodiscard]] index_t begin(index_t count) const { return start_of(rank, count); }
  [[nodiscard]] index_t end(index_t count) const { return start_of(rank + 1, count); }
  [[nodiscard]] index_t count(index_t count) const { return end(count) - begin(count); }

private:
  [[nodiscard]] index_t start_of(int part, index_t count) const
  {
    return part * (count / ranks) + std::min<index_t>(part, count % ranks);
  }
};

} // namespace strata::runtime
