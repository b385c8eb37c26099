#pragma once

#include "row_sums.hpp"

#include "domain/population.hpp"
#include "scene/scene_source.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// The term of an entry in RowSum::hash.
std::uint64_t entry_hash(std::uint64_t pair, std::uint64_t gap_bits, std::int64_t born);

/// Rows by brute force over all objects, on the host and in integers: `rows` of them picked by
/// hashed gid, or all where that is no more work than 4·10^8 tests. Contacts at step `last` are
/// told with the step since which they have held without a break, looking at every step from 0
/// on. Collective; the sums of all ranks, the same on each, by gid. Rows are looked at so many
/// at once: 16 MB of elements that every rank gets a copy of, whatever the number of ranks.
std::vector<RowSum> brute_rows(Population const& population, runtime::Communicator const& world,
                               int rows, std::int64_t last, bool half_list,
                               std::size_t at_once = std::size_t{1} << 16);

} // namespace strata::contact
