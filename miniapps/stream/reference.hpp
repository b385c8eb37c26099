#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstdint>

// What the arrays hold before a step and after any number of them, as closed forms in the
// global index. All values are multiples of 2^-11 and small, so every kernel's result, sums
// included, is exact in float and double, in any order and with or without fused
// multiply-add: the allowed error is 0.

namespace strata::stream {

enum class KernelId
{
  set,
  copy,
  scale,
  add,
  triad,
  nstream,
  dot,
  read
};

/// The factor of scale, triad and nstream: 13/32.
inline constexpr double factor = 0.40625;

/// Well-mixed bits of an index (splitmix64's finaliser).
KOKKOS_FUNCTION inline std::uint64_t mixed(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Which of the three arrays.
enum class Field
{
  a,
  b,
  c
};

/// Initial value of a field at global index g, in 64ths: 8..71, 16..79 and 1..64. Neighbours
/// always differ, so that no exchange of two goes unseen.
KOKKOS_FUNCTION inline int initial_64ths(Field field, index_t g)
{
  auto const bits =
      mixed(3 * static_cast<std::uint64_t>(g) + static_cast<std::uint64_t>(field));
  int const varied = static_cast<int>(bits & 62U) | static_cast<int>(g & 1);
  return varied + (field == Field::a ? 8 : field == Field::b ? 16 : 1);
}

KOKKOS_FUNCTION inline double initial(Field field, index_t g)
{
  return initial_64ths(field, g) / 64.0;
}

/// What `kernel` leaves at global index g of the array it writes after `steps` steps.
KOKKOS_FUNCTION inline double expected_value(KernelId kernel, index_t g, int steps)
{
  double const a = initial(Field::a, g);
  double const b = initial(Field::b, g);
  double const c = initial(Field::c, g);
  switch (kernel) {
  case KernelId::set:
    return factor;
  case KernelId::copy:
    return a;
  case KernelId::scale:
    return factor * c;
  case KernelId::add:
    return a + b;
  case KernelId::triad:
    return b + factor * c;
  case KernelId::nstream:
    return a + steps * (b + factor * c);
  default:
    return 0;
  }
}

/// What dot (or read) adds at global index g, as an integer number of `sum_unit`.
KOKKOS_FUNCTION inline std::int64_t expected_term(KernelId kernel, index_t g)
{
  std::int64_t const a = initial_64ths(Field::a, g);
  return kernel == KernelId::dot ? a * initial_64ths(Field::b, g) : a * 64;
}
inline constexpr double sum_unit = 1.0 / 4096;

/// Steps of nstream after which a value may no longer be exact in T.
template <class T>
constexpr int exact_steps()
{
  return sizeof(T) == sizeof(float) ? 2000 : 1'000'000'000;
}

} // namespace strata::stream
