#pragma once

#include "config.hpp"
#include "objects.hpp"

#include "runtime/mpi/exchange.hpp"

namespace strata::contact {

/// What a file holds, of all ranks; the objects are this rank's, in the order of the file:
/// elements, then free points.
struct FileContents
{
  Objects objects;
  index_t elements = 0;
  index_t points = 0;
  index_t dropped = 0; ///< simplices without volume
  bool exact = false;  ///< all numbers are whole and small enough for exact arithmetic
};

/// Reads problem.file and refuses what contacts cannot be found of, naming file, first number
/// and count: Error(Exit::deck), the same on all ranks. Collective.
FileContents contents_of(Config const& config, runtime::Communicator const& world);

} // namespace strata::contact
