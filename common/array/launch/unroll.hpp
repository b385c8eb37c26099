#pragma once

#include "../../base/kokkos.hpp"

#include <utility>

namespace strata {

/// A compile-time number that converts to its value in device code, where the conversion of
/// std::integral_constant is a host function.
template <int I>
struct Number
{
  static constexpr int value = I;
  KOKKOS_FUNCTION constexpr operator int() const { return I; } // implicit: it is the number
};

/// Calls f(0) to f(N - 1) with compile-time numbers. Small arrays that are indexed by such
/// numbers alone stay in registers, as they may not in a loop.
template <int N, class F>
KOKKOS_FUNCTION constexpr void unrolled(F const& f)
{
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(Number<I>()), ...);
  }(std::make_integer_sequence<int, N>());
}

} // namespace strata
