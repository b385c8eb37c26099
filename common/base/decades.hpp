#pragma once

#include "base/types.hpp"

#include <vector>

namespace strata {

/// 1, 2, 5, 10, 20, ... times `from` (at least 1) as long as that is below `to`; then `to`.
inline std::vector<index_t> decades(index_t from, index_t to)
{
  std::vector<index_t> all;
  for (index_t decade = from; decade < to; decade *= 10)
    for (index_t const step : {1, 2, 5})
      if (step * decade < to)
        all.push_back(step * decade);
  all.push_back(to);
  return all;
}

} // namespace strata
