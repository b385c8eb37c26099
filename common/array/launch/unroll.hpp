#pragma once

#include "../../base/kokkos.hpp"

#include <utility>

namespace strata {

/// A number that the compiler knows, and that converts to it on a device too, where
/// std::integral_constant is a host's.
template <int I>
struct Number
{
  static constexpr int value = I;
  KOKKOS_FUNCTION constexpr operator int() const { return I; } // implicit: it is the number
};

/// Calls f(0) to f(N - 1), each with a number that the compiler knows: small arrays that only
/// such numbers index stay in registers, which compilers do not grant to loops.
template <int N, class F>
KOKKOS_FUNCTION constexpr void unrolled(F const& f)
{
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(Number<I>()), ...);
  }(std::make_integer_sequence<int, N>());
}

} // namespace strata
