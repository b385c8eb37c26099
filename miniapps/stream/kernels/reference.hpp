#pragma once

#include "array/access/narrow.hpp"
#include "base/kokkos.hpp"
#include "base/mix.hpp"
#include "base/types.hpp"

#include <cstdint>

// The values of the arrays before the first step and after any number of steps, as closed forms
// of the global index. All values are small multiples of 2^-11, so that every result, sums
// included, is exact in float and double, in any order, with or without fused multiply-add: the
// allowed error is 0. Of narrow numbers, too: initial values are exact, and a result, computed
// in float, is rounded once.

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

/// Whether the only result is a sum.
constexpr bool is_sum(KernelId kernel)
{
  return kernel == KernelId::dot || kernel == KernelId::read;
}

/// The factor of scale, triad and nstream: 13/32.
inline constexpr double factor = 0.40625;

/// Which of the three arrays.
enum class Field
{
  a,
  b,
  c
};

/// Initial value of a field at global index g, in 64ths: 8..71, 16..79 and 1..64. Neighbours
/// always differ, so that the check sees an exchange of two (a result that is rounded to a
/// narrow number may be its neighbour's).
KOKKOS_FUNCTION inline int initial_64ths(Field field, index_t g)
{
  auto const bits = mixed(3 * static_cast<std::uint64_t>(g) +
                          static_cast<std::uint64_t>(field) + golden_ratio);
  int const varied = static_cast<int>(bits & 62U) | static_cast<int>(g & 1);
  return varied + (field == Field::a ? 8 : field == Field::b ? 16 : 1);
}

KOKKOS_FUNCTION inline double initial(Field field, index_t g)
{
  return initial_64ths(field, g) / 64.0;
}

/// The value at global index g of the array that `kernel` writes, after `steps` steps.
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

/// The term of dot or read at global index g, in units of `sum_unit`.
KOKKOS_FUNCTION inline std::int64_t expected_term(KernelId kernel, index_t g)
{
  std::int64_t const a = initial_64ths(Field::a, g);
  return kernel == KernelId::dot ? a * initial_64ths(Field::b, g) : a * 64;
}
inline constexpr double sum_unit = 1.0 / 4096;

/// Initial bits of the elements 64k to 64k + 63 of an array of bool, the first one in the
/// lowest bit. In each pair (0, 1), (2, 3), ... one is true, chosen by a hash.
KOKKOS_FUNCTION inline std::uint64_t initial_word(std::uint64_t k)
{
  // 32 hashed bits, moved to the even positions.
  std::uint64_t drawn = mixed(k + golden_ratio) >> 32;
  drawn = (drawn | drawn << 16) & 0x0000ffff0000ffffULL;
  drawn = (drawn | drawn << 8) & 0x00ff00ff00ff00ffULL;
  drawn = (drawn | drawn << 4) & 0x0f0f0f0f0f0f0f0fULL;
  drawn = (drawn | drawn << 2) & 0x3333333333333333ULL;
  drawn = (drawn | drawn << 1) & 0x5555555555555555ULL;
  return drawn | (~drawn & 0x5555555555555555ULL) << 1;
}

/// The initial bit of global index g.
KOKKOS_FUNCTION inline bool initial_bool(index_t g)
{
  auto const i = static_cast<std::uint64_t>(g);
  return (initial_word(i / 64) >> (i % 64) & 1U) != 0;
}

/// The initial bits of the 64 elements from global index g on, the first one in the lowest bit.
KOKKOS_FUNCTION inline std::uint64_t initial_bools(index_t g)
{
  auto const i = static_cast<std::uint64_t>(g);
  auto const word = initial_word(i / 64);
  if (i % 64 == 0)
    return word;
  return word >> (i % 64) | initial_word(i / 64 + 1) << (64 - i % 64);
}

/// The value at global index g of an array of bool after set or copy.
KOKKOS_FUNCTION inline bool expected_bool(KernelId kernel, index_t g)
{
  return kernel == KernelId::set || initial_bool(g);
}

/// Number of steps of nstream up to which all values are exact in T.
template <class T>
constexpr int exact_steps()
{
  static_assert(!is_narrow<T>, "after few steps they are not");
  return sizeof(T) == sizeof(float) ? 2000 : 1'000'000'000;
}

} // namespace strata::stream
