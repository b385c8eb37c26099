#pragma once

#include "runtime/mpi/communicator.hpp"

// What MPI launchers tell the processes that they start, also before MPI is up.

namespace strata::driver {

/// True under mpirun and the like, some of which give their ranks a terminal that is none.
bool launched();

/// Whether this is the first rank of what was started, or started alone.
bool is_first_of_job();

/// Fails where another MPI's launcher started this: every rank would be a job of its own.
void require_one_job(runtime::Communicator const& world);

} // namespace strata::driver
