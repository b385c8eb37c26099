#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata::runtime {

/// Where one rank runs.
struct Place
{
  std::string host;
  int rank = 0;
  int local_rank = 0;
  std::string cpuset; ///< hardware threads it may run on: "0-3,8"
  int numa = -1;      ///< NUMA node of the cpuset; -1 when it spans several
  int threads = 1;    ///< host threads of Kokkos
  int device_id = -1; ///< number of the GPU among the visible ones; -1 in a CPU build
  std::string device; ///< name of the GPU, or of the CPU
  std::string pci_id; ///< of the GPU; empty in a CPU build
  std::string uuid;
  std::string driver;            ///< version of the GPU's driver
  std::int64_t memory_bytes = 0; ///< of the GPU, or of the node in a CPU build
  std::string binding;           ///< of host threads: "OMP_PROC_BIND=close", or "none"
};

/// Conversion to texts, to send to other ranks, and back.
std::string pack_place(Place const& place);
Place unpack_place(std::string const& packed);

/// The table of --report-binding, one line per rank under a heading.
std::string binding_report(std::vector<Place> const& places);

} // namespace strata::runtime
