#pragma once

#include "mpi/communicator.hpp"

// What the MPI launcher's environment variables say, before MPI_Init too.

namespace strata::runtime {

/// True under mpirun and similar launchers; some give their ranks a pseudo-terminal.
bool launched();

/// True on rank 0, and in a process that no launcher started.
bool is_first_of_job();

/// Throws where the launcher belongs to another MPI: each rank would run as a job of its own.
void require_one_job(Communicator const& world);

} // namespace strata::runtime
