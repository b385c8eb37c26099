#pragma once

#include "base/types.hpp"

namespace strata::runtime {

/// A contiguous buffer in device memory that is sent to or received from another rank.
struct Message
{
  int rank = 0; ///< the other side
  void* data = nullptr;
  index_t bytes = 0;
};

} // namespace strata::runtime
