#pragma once

#include "base/types.hpp"
#include "runtime/mpi/exchange.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// What a row must hold: its entries, and a sum of hashes of neighbour, gap and birth.
struct RowSum
{
  index_t gid = 0;
  std::int64_t entries = 0;
  std::uint64_t hash = 0;

  bool operator==(RowSum const&) const = default;
};

/// The messages of a rank, one per destination rank: the sums of the range of rows that the
/// destination adds up, without rows of no entries (which are most).
std::vector<std::vector<RowSum>> parts_of(std::vector<RowSum> const& mine, int ranks);

/// Sums over all ranks, row by row; `mine` lists the same rows on every rank, ascending by gid.
/// The result is the same on each rank. A rank receives no more sums than were found.
/// Collective.
std::vector<RowSum> added_up(std::vector<RowSum> const& mine,
                             runtime::Communicator const& world);

} // namespace strata::contact
