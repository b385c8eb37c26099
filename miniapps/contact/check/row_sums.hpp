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

/// What a rank sends of its sums: by the rank that adds them up, each a stretch of the rows,
/// and without the rows that it has no entries of, which are most.
std::vector<std::vector<RowSum>> parts_of(std::vector<RowSum> const& mine, int ranks);

/// Adds what all ranks have found of the same rows, which are ascending by gid. Collective; the
/// same on each rank, none of which is sent more than has been found.
std::vector<RowSum> added_up(std::vector<RowSum> const& mine,
                             runtime::Communicator const& world);

} // namespace strata::contact
