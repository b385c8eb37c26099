#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
/// The last cache before its memory: the second level, or the one beside the memory.
std::int64_t gpu_cache_bytes();
std::string gpu_pci_id();

/// Bytes of the cache beside the memory of AMD's GPUs, which HIP does not tell: 256 MiB of
/// Infinity Cache in the MI300 family (gfx942, gfx950; AMD CDNA 3 white paper, 2023), else 0.
/// `architecture`: as hipDeviceProp_t::gcnArchName begins.
std::int64_t infinity_cache_bytes(std::string_view architecture);

} // namespace strata::runtime
