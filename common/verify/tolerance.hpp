#pragma once

#include <limits>

namespace strata::verify {

/// Bound of the relative error of n successive operations in scalar T: n·eps/2, doubled because
/// compilers may contract products to fused multiply-adds or not.
template <class T>
constexpr double rounding(double operations)
{
  return operations * static_cast<double>(std::numeric_limits<T>::epsilon());
}

} // namespace strata::verify
