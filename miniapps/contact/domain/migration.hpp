#pragma once

#include "carried_rows.hpp"
#include "scenery.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// The number of all objects, and a sum of their hashed gids.
struct Census
{
  std::int64_t objects = 0;
  std::uint64_t gids = 0;

  bool operator==(Census const&) const = default;
};

/// Collective.
Census census_of(std::vector<Object> const& mine, runtime::Communicator const& world);

/// The rank to which each of this rank's objects should go for an equal number of tests: an
/// object weighs 1, an element also the tests of its row in the present grid. Objects are where
/// they are now. Collective.
std::vector<int> even_ranks(Scenery const& scenery, runtime::Communicator const& world);

/// Sends objects, and with each element its row, to these ranks; `rows` becomes those of the
/// elements received. Returns whether all objects still exist, each once. Collective.
bool migrate(Scenery& scenery, std::vector<int> const& rank_of, CarriedRows& rows,
             runtime::Communicator const& world);

} // namespace strata::contact
