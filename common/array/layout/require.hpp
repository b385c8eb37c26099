#pragma once

#include "../../base/error.hpp"
#include "../../base/kokkos.hpp"

#include <cstdio>

namespace strata::detail {

/// Host code throws Error with the message, in printf's format; device code prints it and ends
/// the program. Not constexpr, so that a constant expression does not compile instead.
template <class... Number>
KOKKOS_FUNCTION void refuse(char const* format, Number... numbers)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  printf(format, numbers...);
  Kokkos::abort("strata: a size was refused");
#else
  char message[256];
  std::snprintf(message, sizeof message, format, numbers...);
  throw Error(Exit::internal, message);
#endif
}

/// STRATA_CHECK for code that also runs on a device or in a constant expression.
template <class... Number>
KOKKOS_FUNCTION constexpr void require(bool condition, char const* format, Number... numbers)
{
  if (!condition)
    refuse(format, numbers...);
}

} // namespace strata::detail
