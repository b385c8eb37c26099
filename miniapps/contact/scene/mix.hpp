#pragma once

#include "base/kokkos.hpp"
#include "base/mix.hpp"
#include "base/types.hpp"

#include <cstdint>

namespace strata::contact {

/// The term of the directed contact i -> j, gids, in the checksum of all contacts.
KOKKOS_FUNCTION inline std::uint64_t pair_hash(index_t i, index_t j)
{
  return mixed(mixed(static_cast<std::uint64_t>(i) + 1) +
               3 * mixed(static_cast<std::uint64_t>(j) + 1));
}

/// The term of an entry in the hash of its row: the contact's, the bits of its gap and its
/// birth.
KOKKOS_FUNCTION inline std::uint64_t entry_hash(std::uint64_t pair, std::uint64_t gap_bits,
                                                std::int64_t born)
{
  return mixed(pair + mixed(gap_bits) + static_cast<std::uint64_t>(born));
}

/// The random word of a gid in stream `stream`; the same on every rank.
inline std::uint64_t hashed(std::uint64_t seed, index_t gid, unsigned stream)
{
  return mixed(mixed(seed * golden_ratio + stream) + static_cast<std::uint64_t>(gid));
}

} // namespace strata::contact
