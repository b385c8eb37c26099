#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstdint>

namespace strata::contact {

/// The finaliser of splitmix64: a bijection of 64-bit words in which every input bit affects
/// every output bit.
KOKKOS_FUNCTION inline std::uint64_t mix(std::uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// The term of the directed contact i -> j, gids, in the checksum of all contacts.
KOKKOS_FUNCTION inline std::uint64_t pair_hash(index_t i, index_t j)
{
  return mix(mix(static_cast<std::uint64_t>(i) + 1) +
             3 * mix(static_cast<std::uint64_t>(j) + 1));
}

/// The random word of a gid in stream `stream`; the same on every rank.
inline std::uint64_t hashed(std::uint64_t seed, index_t gid, unsigned stream)
{
  return mix(mix(seed * 0x9E3779B97F4A7C15U + stream) + static_cast<std::uint64_t>(gid));
}

} // namespace strata::contact
