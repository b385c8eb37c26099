#include "memory.hpp"

#include "base/kokkos.hpp"
#include "mpi/communicator.hpp"
#include "node/cpuset.hpp"
#include "node/gpu.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace strata::runtime {

namespace {

/// Bytes left under the limit of one control group; nothing where it has no limit.
std::optional<std::int64_t> left_by(std::filesystem::path const& group)
{
  auto const left = [&](char const* limit_file, char const* used_file,
                        char const* file_pages) -> std::optional<std::int64_t> {
    auto const limit = whole_number(group / limit_file);
    auto const used = whole_number(group / used_file);
    if (!limit || !used)
      return std::nullopt;
    auto const pages = keyed_number(group / "memory.stat", file_pages).value_or(0);
    return std::max<std::int64_t>(0, *limit - *used + pages);
  };
  auto const v2 = left("memory.max", "memory.current", "inactive_file");
  return v2 ? v2
            : left("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
}

/// Ranks that allocate from the same memory as this one.
std::int64_t ranks_sharing()
{
  static std::int64_t const ranks = [] {
    auto const node = Communicator::node();
    if (device_is_host)
      return static_cast<std::int64_t>(node.ranks());
    auto const mine = gpu_pci_id();
    auto const all = node.all_gather(mine);
    return static_cast<std::int64_t>(std::count(all.begin(), all.end(), mine));
  }();
  return ranks;
}

} // namespace

std::int64_t available_memory()
{
  auto const free = device_is_host ? free_host_memory() : free_gpu_memory();
  auto const mine = free / ranks_sharing();
  return device_is_host ? std::min(mine, free_address_space()) : mine;
}

std::int64_t last_level_cache_bytes()
{
  return device_is_host ? cache_bytes(process_cpus()) : gpu_cache_bytes();
}

std::int64_t free_host_memory(Root const& root)
{
  auto free = std::numeric_limits<std::int64_t>::max();
  if (auto const kilobytes = keyed_number(root / "proc/meminfo", "MemAvailable:"))
    free = *kilobytes * 1024;
  for (auto const& group : control_groups("memory", root))
    free = std::min(free, left_by(group).value_or(free));
  return free;
}

std::int64_t free_address_space()
{
  auto constexpr unlimited = std::numeric_limits<std::int64_t>::max();
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= rlim_t{unlimited})
    return unlimited;
  auto const kilobytes = keyed_number("/proc/self/status", "VmSize:").value_or(0);
  return std::max<std::int64_t>(0,
                                static_cast<std::int64_t>(limit.rlim_cur) - kilobytes * 1024);
}

std::int64_t host_memory(Root const& root)
{
  return keyed_number(root / "proc/meminfo", "MemTotal:").value_or(0) * 1024;
}

} // namespace strata::runtime
