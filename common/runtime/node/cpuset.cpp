#include "cpuset.hpp"

#include "base/text.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace strata::runtime {

namespace {

std::filesystem::path cpu_folder(int cpu, Root const& root)
{
  return root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
}

#if defined(_OPENMP)
Cpus openmp_places()
{
  std::set<int> cpus;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> members(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, members.data());
    cpus.insert(members.begin(), members.end());
  }
  return {cpus.begin(), cpus.end()};
}
#else
Cpus openmp_places()
{
  return {};
}
#endif

/// Bytes of a cache size as /sys writes it: "32K", "384M".
std::int64_t parse_size(std::string const& size)
{
  auto const scale = size.ends_with('K') ? 1024 : size.ends_with('M') ? 1024 * 1024 : 1;
  return std::strtoll(size.c_str(), nullptr, 10) * scale;
}

struct Cache
{
  std::int64_t level = 0;
  std::int64_t bytes = 0;
  std::string cpus;
};

/// The outermost data cache of one hardware thread.
Cache last_cache(int cpu, Root const& root)
{
  Cache last;
  for (int index = 0;; ++index) {
    auto const folder = cpu_folder(cpu, root) / "cache" / ("index" + std::to_string(index));
    auto const level = whole_number(folder / "level");
    if (!level)
      return last;
    if (*level >= last.level && first_line(folder / "type") != "Instruction")
      last = {*level, parse_size(first_line(folder / "size").value_or("0")),
              first_line(folder / "shared_cpu_list").value_or(std::to_string(cpu))};
  }
}

/// Bytes of the memory-side caches of a NUMA node, which the kernel lists by their level.
std::int64_t memory_side_cache(int node, Root const& root)
{
  auto const folder =
      root / "sys/devices/system/node" / ("node" + std::to_string(node)) / "memory_side_cache";
  std::int64_t bytes = 0;
  for (int level = 1;; ++level) {
    auto const size = whole_number(folder / ("index" + std::to_string(level)) / "size");
    if (!size)
      return bytes;
    bytes = std::max(bytes, *size);
  }
}

std::optional<double> quota_of(std::filesystem::path const& group)
{
  std::ifstream v2(group / "cpu.max");
  double quota = 0;
  double period = 0;
  if (v2 >> quota >> period && quota > 0 && period > 0)
    return quota / period;
  auto const v1_quota = whole_number(group / "cpu.cfs_quota_us");
  auto const v1_period = whole_number(group / "cpu.cfs_period_us");
  if (v1_quota && v1_period && *v1_quota > 0 && *v1_period > 0)
    return static_cast<double>(*v1_quota) / static_cast<double>(*v1_period);
  return std::nullopt;
}

} // namespace

Cpus parse_cpus(std::string_view list)
{
  Cpus cpus;
  for (auto const& range : text::split(list, ',')) {
    char* end = nullptr;
    auto const first = std::strtol(range.c_str(), &end, 10);
    auto const last = *end == '-' ? std::strtol(end + 1, nullptr, 10) : first;
    for (auto cpu = first; cpu <= last; ++cpu)
      cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

std::string format_cpus(Cpus const& cpus)
{
  std::vector<std::string> ranges;
  for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
    for (next = first + 1; next < cpus.size() && cpus[next] == cpus[next - 1] + 1;)
      ++next;
    ranges.push_back(std::to_string(cpus[first]));
    if (next > first + 1)
      ranges.back().append("-").append(std::to_string(cpus[next - 1]));
  }
  return text::join(ranges, ",");
}

bool intersect(Cpus const& a, Cpus const& b)
{
  return std::any_of(a.begin(), a.end(),
                     [&](int cpu) { return std::binary_search(b.begin(), b.end(), cpu); });
}

Cpus thread_cpus()
{
  Cpus cpus;
  // The mask must have room for all CPUs that the kernel was built for.
  for (int room = 1024; cpus.empty() && room <= 1 << 20; room *= 2) {
    auto* const mask = CPU_ALLOC(static_cast<std::size_t>(room));
    auto const bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(room));
    if (sched_getaffinity(0, bytes, mask) == 0)
      for (int cpu = 0; cpu < room; ++cpu)
        if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask))
          cpus.push_back(cpu);
    CPU_FREE(mask);
  }
  return cpus;
}

void bind_thread(Cpus const& cpus)
{
  if (cpus.empty())
    return;
  int const room = *std::max_element(cpus.begin(), cpus.end()) + 1;
  auto* const mask = CPU_ALLOC(static_cast<std::size_t>(room));
  auto const bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(room));
  CPU_ZERO_S(bytes, mask);
  for (int const cpu : cpus)
    CPU_SET_S(static_cast<std::size_t>(cpu), bytes, mask);
  sched_setaffinity(0, bytes, mask);
  CPU_FREE(mask);
}

Cpus const& process_cpus()
{
  static Cpus const cpus = [] {
    auto places = openmp_places();
    return places.empty() ? thread_cpus() : places;
  }();
  return cpus;
}

int core_count(Cpus const& cpus, Root const& root)
{
  std::set<std::string> cores;
  for (int const cpu : cpus) {
    auto const topology = cpu_folder(cpu, root) / "topology";
    auto siblings = first_line(topology / "core_cpus_list");
    if (!siblings)
      siblings = first_line(topology / "thread_siblings_list");
    cores.insert(siblings.value_or(std::to_string(cpu)));
  }
  return static_cast<int>(cores.size());
}

std::vector<int> numa_nodes(Cpus const& cpus, Root const& root)
{
  std::vector<int> nodes;
  auto const folder = root / "sys/devices/system/node";
  for (int const node : parse_cpus(first_line(folder / "online").value_or(""))) {
    auto const list = first_line(folder / ("node" + std::to_string(node)) / "cpulist");
    if (intersect(cpus, parse_cpus(list.value_or(""))))
      nodes.push_back(node);
  }
  return nodes;
}

std::int64_t cache_bytes(Cpus const& cpus, Root const& root)
{
  std::set<std::string> counted;
  std::int64_t bytes = 0;
  for (int const cpu : cpus) {
    auto const cache = last_cache(cpu, root);
    if (counted.insert(cache.cpus).second)
      bytes += cache.bytes;
  }
  std::int64_t beside_memory = 0;
  for (int const node : numa_nodes(cpus, root))
    beside_memory += memory_side_cache(node, root);
  return std::max(bytes, beside_memory);
}

std::optional<double> cpu_quota(Root const& root)
{
  std::optional<double> least;
  for (auto const& group : control_groups("cpu", root))
    if (auto const quota = quota_of(group))
      least = std::min(*quota, least.value_or(*quota));
  return least;
}

std::string cpu_model(Root const& root)
{
  std::ifstream stream(root / "proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("model name") || line.starts_with("cpu\t\t:"))
      return line.substr(std::min(line.find(": ") + 2, line.size()));
  return "unknown CPU";
}

} // namespace strata::runtime
