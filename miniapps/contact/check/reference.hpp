#pragma once

#include "row_sums.hpp"

#include "domain/population.hpp"
#include "scene/scene_source.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// Rows by brute force over all objects, on the host and in integers: `rows` of them, picked by
/// hashed gid, or all rows where that takes at most 4·10^8 tests. The birth of a contact at
/// step `last` is found by testing earlier steps, one by one, back to the first without the
/// contact. Returns the sums over all ranks, ascending by gid, the same on each rank. `at_once`
/// rows are processed at a time: every rank then holds copies of 16 MB of elements, whatever
/// the number of ranks. Collective.
std::vector<RowSum> brute_rows(Population const& population, runtime::Communicator const& world,
                               int rows, std::int64_t last, bool half_list,
                               std::size_t at_once = std::size_t{1} << 16);

} // namespace strata::contact
