#pragma once

#include "communicator.hpp"

#include "runtime/node/environment.hpp"

#include <functional>
#include <string>

namespace strata::runtime {

/// How arrays are sent from device to device, and why.
struct GpuAware
{
  std::string requested; ///< auto, on, off: the deck's parallel.gpu_aware_mpi
  std::string used;      ///< direct (MPI is given device pointers), staged (through pinned
                         ///< host buffers) or host (arrays are in host memory anyway)
  std::string how;       ///< the reason, in words
};

/// The MPI library's answer to whether it takes device pointers.
enum class Claim
{
  yes,
  no,
  silent
};

struct LibraryClaim
{
  Claim claim = Claim::silent;
  std::string words; ///< "Open MPI v4.1.4 says no (MPIX_Query_cuda_support)"
};

/// Asks the library; every rank gets the same answer. No device pointer is involved.
LibraryClaim ask_library(Communicator const& world, Environment const& environment);

/// Decides the path. `prove` tries a small exchange of device memory and returns the reason of
/// a failure, or an empty text; it is never called after a "no". Throws Error(Exit::placement)
/// where `on` is impossible. Equal arguments on all ranks give equal results.
GpuAware choose_path(std::string const& requested, bool arrays_on_host,
                     LibraryClaim const& library, std::function<std::string()> const& prove);

/// The whole decision for this job; collective.
GpuAware decide_gpu_aware(std::string const& requested, Communicator const& world);

} // namespace strata::runtime
