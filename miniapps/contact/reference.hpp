#pragma once

#include "deck.hpp"
#include "population.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// What a row must hold: its entries, and a sum of hashes of neighbour, gap and birth.
struct RowSum
{
  index_t gid = 0;
  std::int64_t entries = 0;
  std::uint64_t hash = 0;
};

/// The term of an entry in RowSum::hash.
std::uint64_t entry_hash(std::uint64_t pair, std::uint64_t gap_bits, std::int64_t born);

/// Rows by brute force over all objects, on the host and in integers: `rows` of them picked by
/// hashed gid, or all where that is no more work than 4·10^8 tests. Contacts at step `last` are
/// told with the step since which they have held without a break, looking at every step from 0
/// on. Collective; the sums of all ranks, the same on each.
std::vector<RowSum> brute_rows(Population const& population, runtime::Communicator const& world,
                               int rows, std::int64_t last, bool half_list);

} // namespace strata::contact
