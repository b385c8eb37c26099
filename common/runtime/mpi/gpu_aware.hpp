#pragma once

#include "communicator.hpp"

#include "runtime/node/environment.hpp"

#include <functional>
#include <string>

namespace strata::runtime {

/// How arrays are sent from device to device, and why.
struct GpuAware
{
  std::string requested; ///< the deck's parallel.gpu_aware_mpi: auto, aware, peer or staged
  std::string used;      ///< aware (MPI is given device pointers), peer (ranks of one node copy
                         ///< from each other's device memory), staged (through pinned host
                         ///< buffers) or host (arrays are in host memory anyway)
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

/// Try a small exchange of device memory and return the reason of a failure, or an empty text.
struct Proofs
{
  std::function<std::string()> aware; ///< by MPI; never called after a "no"
  std::function<std::string()> peer;  ///< from rank to rank of one node
};

/// Decides the path; `on` and `off` are other words for `aware` and `staged`. Throws
/// Error(Exit::placement) where what was asked for is impossible. Equal arguments on all ranks
/// give equal results.
GpuAware choose_path(std::string const& requested, bool arrays_on_host,
                     LibraryClaim const& library, Proofs const& prove);

/// The whole decision for this job; collective.
GpuAware decide_gpu_aware(std::string const& requested, Communicator const& world);

} // namespace strata::runtime
