#pragma once

#include "base/error.hpp"

namespace strata::runtime {

/// Ends the process, and the job where MPI is up. From any thread, at any time.
[[noreturn]] void end_job(Exit exit);

} // namespace strata::runtime
