#pragma once

#include "communicator.hpp"

#include <mpi.h>

namespace strata::runtime {

/// A communicator's MPI_Comm, for this folder's sources.
inline MPI_Comm mpi_comm(Communicator const& communicator)
{
  return *static_cast<MPI_Comm const*>(communicator.handle());
}

} // namespace strata::runtime
