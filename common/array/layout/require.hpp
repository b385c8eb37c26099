#pragma once

#include "../../base/kokkos.hpp"

#include <cstdio>
#include <stdexcept>

namespace strata::detail {

/// Reports a violated precondition: host code throws std::invalid_argument with the message, in
/// printf's format; device code prints it and aborts. Not constexpr, so that a constant
/// expression that gets here does not compile.
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

/// Ends the program with a message in printf's format, from host or device code: what a checked
/// build does where an index is out of bounds. Host code writes to standard error.
template <class... Value>
KOKKOS_FUNCTION void stop(char const* format, Value... values)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  printf(format, values...);
  printf("\n");
  Kokkos::abort("strata: a check of bounds failed");
#else
  char message[512];
  std::snprintf(message, sizeof message, format, values...);
  Kokkos::abort(message);
#endif
}

/// Checks a precondition in every build, in host and device code; see refuse.
template <class... Value>
KOKKOS_FUNCTION constexpr void require(bool condition, char const* format, Value... values)
{
  if (!condition)
    refuse(format, values...);
}

} // namespace strata::detail
