#pragma once

#include "base/error.hpp"
#include "runtime/mpi/communicator.hpp"

#include <exception>

// How a run comes to its end where something is wrong.

namespace strata::driver {

/// Throws where printed text could not be written, as on a full disk.
void require_printed();

/// Prints, on rank 0 or the only rank, an error that all ranks have found.
Exit say(std::exception const& error);

/// Ends a run that has thrown. An error of all ranks is printed once and its code returned; an
/// error of this rank alone aborts the job.
Exit end_with(std::exception const& error, runtime::Communicator const& world);

/// From now on what nobody can catch, such as an exception of a thread or a destructor, ends
/// the job by its reason and code.
void end_with_reason();

/// Ends a job that waits for a stopped rank.
[[noreturn]] void end_stopped(int process);

} // namespace strata::driver
