#include "environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace strata::runtime {

namespace {

using namespace std::string_view_literals;

constexpr std::array prefixes{"OMP_"sv,      "KOKKOS_"sv, "GOMP_"sv, "KMP_"sv,
                              "OPENBLAS_"sv, "BLIS_"sv,   "MKL_"sv,  "CTEST_RESOURCE_GROUP"sv};

constexpr std::array names{"CUDA_VISIBLE_DEVICES"sv,
                           "CUDA_DEVICE_ORDER"sv,
                           "CUDA_LAUNCH_BLOCKING"sv,
                           "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"sv,
                           "NVIDIA_VISIBLE_DEVICES"sv,
                           "HIP_VISIBLE_DEVICES"sv,
                           "ROCR_VISIBLE_DEVICES"sv,
                           "GPU_DEVICE_ORDINAL"sv,
                           "HSA_XNACK"sv,
                           "MPICH_GPU_SUPPORT_ENABLED"sv,
                           "MPIR_CVAR_ENABLE_GPU"sv,
                           "UCX_TLS"sv,
                           "UCX_NET_DEVICES"sv,
                           "FI_PROVIDER"sv,
                           "OMPI_COMM_WORLD_SIZE"sv,
                           "OMPI_COMM_WORLD_LOCAL_SIZE"sv,
                           "CTEST_KOKKOS_DEVICE_TYPE"sv,
                           "SLURM_JOB_ID"sv,
                           "SLURM_ARRAY_JOB_ID"sv,
                           "SLURM_ARRAY_TASK_ID"sv,
                           "SLURM_JOB_PARTITION"sv,
                           "SLURM_CLUSTER_NAME"sv,
                           "SLURM_NNODES"sv,
                           "SLURM_NTASKS"sv,
                           "SLURM_NTASKS_PER_NODE"sv,
                           "SLURM_CPUS_PER_TASK"sv,
                           "SLURM_CPU_BIND"sv,
                           "SLURM_GPUS_PER_NODE"sv,
                           "SLURM_GPUS_PER_TASK"sv,
                           "SLURM_GPU_BIND"sv,
                           "SLURM_DISTRIBUTION"sv,
                           "PBS_JOBID"sv,
                           "PBS_ARRAY_INDEX"sv,
                           "PBS_QUEUE"sv,
                           "LSB_JOBID"sv,
                           "LSB_JOBINDEX"sv,
                           "LSB_QUEUE"sv,
                           "FLUX_JOB_ID"sv,
                           "STRATA_SYSTEM"sv};

} // namespace

std::optional<std::string> process_environment(std::string const& name)
{
  char const* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

bool is_allowed_variable(std::string const& name)
{
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::vector<std::pair<std::string, std::string>> allowed_environment()
{
  std::vector<std::pair<std::string, std::string>> allowed;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string const text = *entry;
    auto const equals = text.find('=');
    if (auto const name = text.substr(0, equals);
        equals != std::string::npos && is_allowed_variable(name))
      allowed.emplace_back(name, text.substr(equals + 1));
  }
  std::sort(allowed.begin(), allowed.end());
  return allowed;
}

} // namespace strata::runtime
