#pragma once

#include <limits>

namespace strata::verify {

/// Relative error of `operations` roundings in scalar T, one after another: n·eps/2 each way,
/// doubled for slack in how compilers contract products.
template <class T>
constexpr double rounding(double operations)
{
  return operations * static_cast<double>(std::numeric_limits<T>::epsilon());
}

} // namespace strata::verify
