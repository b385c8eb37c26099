#pragma once

#include "runtime/mpi/exchange.hpp"
#include "scene/objects.hpp"

namespace strata::contact {

/// Spreads objects over the ranks by recursive coordinate bisection, so that each rank gets a
/// compact part of about equal number, at step 0: the longest side of the box around a group is
/// cut where the objects divide as the group's ranks do, until each rank has a part of its own.
/// Collective; every object ends on exactly one rank.
Objects decompose(Objects objects, runtime::Communicator const& world);

/// The rank of each object, so that all ranks have about the same weight. Weights are whole
/// numbers. Collective.
std::vector<int> bisected(std::vector<Vector> const& at, std::vector<double> const& weight,
                          runtime::Communicator const& world);

/// Sends every object to the rank in `rank_of`. Collective.
Objects hand_over(Objects const& objects, std::vector<int> const& rank_of,
                  runtime::Communicator const& world);

} // namespace strata::contact
