#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata::runtime {

/// A GPU as one rank sees it.
struct Gpu
{
  int id = 0;         ///< the number that Kokkos takes, counted among the visible ones
  std::string name;   ///< "NVIDIA H200"
  std::string pci_id; ///< "0000:18:00.0"; empty where the driver hides it
  std::string uuid;   ///< "GPU-3c2a..."; empty where the driver hides it
  std::int64_t memory_bytes = 0;
  int numa = -1; ///< NUMA node it is attached to; -1 where the system does not tell
};

/// The GPUs that this rank may use, without occupying any of them. Empty in a CPU build.
/// Throws Error(Exit::placement) when the driver cannot be asked.
std::vector<Gpu> visible_gpus();

/// Of the GPU that Kokkos runs on, after it is up; 0 or empty in a CPU build.
std::int64_t free_gpu_memory();
std::int64_t gpu_cache_bytes();
std::string gpu_pci_id();

} // namespace strata::runtime
