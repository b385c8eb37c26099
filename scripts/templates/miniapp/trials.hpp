#pragma once

#include "driver/miniapp.hpp"

#include <string>

namespace strata::appname {

/// One point of the axes, by deck names.
struct Choice
{
  std::string variant, scalar;
};

/// The vectors of one case and this rank's part of them.
struct Problem
{
  index_t size = 0;  ///< over all ranks
  index_t first = 0; ///< this rank's first element
  index_t count = 0; ///< this rank's number of elements
};

// Makers of the trials, by variant.
driver::Maker span_maker(Choice const& choice, Problem const& problem);
driver::Maker native_maker(Choice const& choice, Problem const& problem);

/// Pooled memory of vector x (0) or y (1).
driver::Slot vector_slot(int number, Problem const& problem, std::size_t bytes_per_value);

} // namespace strata::appname
