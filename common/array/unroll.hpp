#pragma once

#include "base/kokkos.hpp"

#include <type_traits>
#include <utility>

namespace strata {

/// Calls f(0) to f(N - 1), each with a number that the compiler knows: small arrays that only
/// such numbers index stay in registers, which compilers do not grant to loops.
template <int N, class F>
KOKKOS_FUNCTION constexpr void unrolled(F const& f)
{
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>()), ...);
  }(std::make_integer_sequence<int, N>());
}

} // namespace strata
