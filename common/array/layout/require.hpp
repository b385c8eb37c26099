#pragma once

#include "../../base/kokkos.hpp"

#include <cstdio>
#include <stdexcept>

namespace strata::detail {

/// Host code throws std::invalid_argument with the message, in printf's format; device code
/// prints it and ends the program. Not constexpr, so that a constant expression does not
/// compile instead.
template <class... Value>
KOKKOS_FUNCTION void refuse(char const* format, Value... values)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  printf(format, values...);
  Kokkos::abort("strata: an argument was refused");
#else
  char message[512];
  if constexpr (sizeof...(Value) == 0)
    std::snprintf(message, sizeof message, "%s", format);
  else
    std::snprintf(message, sizeof message, format, values...);
  throw std::invalid_argument(message);
#endif
}

/// What must hold of arguments, in every build; for code that runs anywhere.
template <class... Value>
KOKKOS_FUNCTION constexpr void require(bool condition, char const* format, Value... values)
{
  if (!condition)
    refuse(format, values...);
}

} // namespace strata::detail
