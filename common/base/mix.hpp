#pragma once

#include "kokkos.hpp"
#include "types.hpp"

#include <cstdint>

// Numbers that look drawn but are functions of an index: any rank, thread or check has the same
// ones without a copy.

namespace strata {

/// 2^64 over the golden ratio: multiples of it spread evenly over all words.
inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;

/// The finaliser of splitmix64: a bijection of 64-bit words; each bit of the result depends on
/// all bits of x.
KOKKOS_FUNCTION inline std::uint64_t mixed(std::uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// mixed(x) as a number in [0, 1).
KOKKOS_FUNCTION inline double mixed_to_unit(std::uint64_t x)
{
  return static_cast<double>(mixed(x) >> 11) * 0x1p-53;
}

/// Which of `count` items a check takes as its sample number `sample`.
KOKKOS_FUNCTION inline index_t sampled(index_t sample, index_t count)
{
  auto const hash = static_cast<std::uint64_t>(sample + 1) * golden_ratio;
  return static_cast<index_t>((hash >> 11) % static_cast<std::uint64_t>(count));
}

} // namespace strata
