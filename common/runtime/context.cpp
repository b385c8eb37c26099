#include "context.hpp"

#include "strata_build.hpp"

#include "base/kokkos.hpp"
#include "base/text.hpp"
#include "node/system_files.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <sstream>

namespace strata::runtime {

namespace {

/// Kokkos' name of the GPU architecture; unknown before version 4.
std::string gpu_architecture()
{
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  std::istringstream lines(configuration.str());
  std::string const key = "GPU architecture: ";
  for (std::string line; std::getline(lines, line);)
    if (auto const at = line.find(key); at != std::string::npos)
      return line.substr(at + key.size());
  return "none";
}

/// The widest vector instructions that this file was compiled for.
constexpr char const* cpu_architecture()
{
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__ARM_FEATURE_SVE)
  return "SVE";
#elif defined(__aarch64__)
  return "AArch64";
#elif defined(__powerpc64__)
  return "POWER";
#else
  return "unknown";
#endif
}

std::vector<std::string> backends()
{
  std::vector<std::string> names{Device::name()};
  for (std::string const host : {Host::name(), Kokkos::DefaultHostExecutionSpace::name()})
    if (host != names.back())
      names.push_back(host);
#if defined(KOKKOS_ENABLE_SERIAL)
  if (names.back() != Kokkos::Serial::name())
    names.emplace_back(Kokkos::Serial::name());
#endif
  return names;
}
} // namespace

SuiteFacts suite_facts()
{
  return {.version = STRATA_VERSION, .git = STRATA_GIT_COMMIT, .dirty = STRATA_GIT_DIRTY != 0};
}

BuildFacts build_facts()
{
  auto const gpu = gpu_architecture();
  return {.type = STRATA_BUILD_TYPE,
          .compiler = STRATA_COMPILER,
          .flags = STRATA_CXX_FLAGS,
          .cxx = "C++" + std::to_string(__cplusplus / 100 % 100),
          .kokkos = kokkos_version(),
          .backends = backends(),
          .arch = (gpu == "none" ? "" : gpu + " ") + cpu_architecture(),
#if defined(STRATA_BOUNDS_CHECK)
          .bounds_check = true,
#endif
          .mpi = mpi_library()};
}

Job job(Environment const& environment)
{
  struct Scheduler
  {
    char const* name;
    char const* id;
    std::array<char const*, 2> array_index;
  };
  static constexpr std::array schedulers{
      Scheduler{"flux", "FLUX_JOB_ID", {}},
      Scheduler{"slurm", "SLURM_JOB_ID", {"SLURM_ARRAY_TASK_ID", nullptr}},
      Scheduler{"pbs", "PBS_JOBID", {"PBS_ARRAY_INDEX", "PBS_ARRAYID"}},
      Scheduler{"lsf", "LSB_JOBID", {"LSB_JOBINDEX", nullptr}}};
  for (auto const& scheduler : schedulers) {
    auto const id = environment(scheduler.id);
    if (!id)
      continue;
    Job job{scheduler.name, *id, {}};
    for (auto const* name : scheduler.array_index)
      if (name != nullptr && job.array_index.empty())
        job.array_index = environment(name).value_or("");
    if (job.scheduler == "lsf" && job.array_index == "0") // LSF's index of a job without array
      job.array_index.clear();
    return job;
  }
  return {.scheduler = "none", .id = {}, .array_index = {}};
}

std::string system_name(Environment const& environment)
{
  for (auto const* name : {"STRATA_SYSTEM", "SLURM_CLUSTER_NAME"})
    if (auto const system = environment(name); system && !system->empty())
      return *system;
  auto name = host_name();
  name.resize(std::min(name.find('.'), name.size()));
  auto const letters = name.find_last_not_of("0123456789-");
  return letters == std::string::npos ? name : name.substr(0, letters + 1);
}

std::string user_label(Environment const& environment)
{
  return environment("STRATA_LABEL").value_or("");
}

std::string utc_now()
{
  std::time_t const now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  auto const length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

int node_count(Communicator const& world)
{
  return static_cast<int>(world.sum(std::int64_t{Communicator::node().rank() == 0}));
}

std::string profiling_tool(Environment const& environment)
{
  for (auto const* name : {"KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY",
                           "CUDA_INJECTION64_PATH", "ROCP_TOOL_LIB", "HSA_TOOLS_LIB"})
    if (auto const tool = environment(name); tool && !tool->empty())
      return *tool;
  return Kokkos::Tools::profileLibraryLoaded() ? "a Kokkos tool" : "";
}

} // namespace strata::runtime
