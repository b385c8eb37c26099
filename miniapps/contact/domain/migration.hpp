#pragma once

#include "carried_rows.hpp"
#include "scenery.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// How many objects all ranks have, and which: a sum of hashed gids.
struct Census
{
  std::int64_t objects = 0;
  std::uint64_t gids = 0;

  bool operator==(Census const&) const = default;
};

/// Collective.
Census census_of(std::vector<Object> const& mine, runtime::Communicator const& world);

/// The rank that each of this rank's objects should go to, so that tests are spread evenly: an
/// object weighs 1 and, an element, the tests of the grid that there is. Objects are where they
/// are now. Collective.
std::vector<int> even_ranks(Scenery const& scenery, runtime::Communicator const& world);

/// Hands this rank's objects, and with each element its row, to those ranks; `rows` become
/// those of the elements that it then has. Collective; whether all objects are still there,
/// each once.
bool migrate(Scenery& scenery, std::vector<int> const& rank_of, CarriedRows& rows,
             runtime::Communicator const& world);

} // namespace strata::contact
