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

/// Sums over all ranks, row by row; `mine` lists the same rows on every rank, ascending by gid.
/// The result is the same on each rank. Collective.
std::vector<RowSum> added_up(std::vector<RowSum> const& mine,
                             runtime::Communicator const& world);

} // namespace strata::contact
