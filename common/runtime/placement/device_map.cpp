#include "device_map.hpp"

#include "core_map.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace strata::runtime {

namespace {

/// Whether both are one physical device, whose number may differ between ranks.
bool same(Gpu const& a, Gpu const& b)
{
  return (!a.pci_id.empty() && a.pci_id == b.pci_id) || (!a.uuid.empty() && a.uuid == b.uuid);
}

/// The user's number of a GPU for this node-local rank, by order of precedence.
std::optional<Wish> wished_gpu(int local_rank, Parallel const& parallel,
                               std::optional<Wish> const& flag, Environment const& environment)
{
  if (flag)
    return flag;
  if (auto const wish = wished_by_ctest(local_rank, environment))
    return wish;
  if (auto const wish = wished_in(environment, "KOKKOS_DEVICE_ID"))
    return wish;
  return wished_in_deck(parallel.device);
}

/// The first GPU from `local_rank` on, cyclically, that no lower rank has taken.
int next_free(Sight const& rank, int local_rank, std::vector<Gpu> const& taken)
{
  auto const count = static_cast<int>(rank.gpus.size());
  STRATA_CHECK(count > 0, "a GPU is chosen among none");
  for (int step = 0; step < count; ++step) {
    auto const id = (local_rank + step) % count;
    auto const& gpu = rank.gpus[static_cast<std::size_t>(id)];
    if (std::none_of(taken.begin(), taken.end(), [&](Gpu const& t) { return same(t, gpu); }))
      return id;
  }
  return local_rank % count;
}

Gpu const& wished_of(Sight const& rank, Wish const& wish)
{
  if (wish.value < static_cast<int>(rank.gpus.size()))
    return rank.gpus[static_cast<std::size_t>(wish.value)];
  std::vector<std::string> seen;
  for (auto const& gpu : rank.gpus)
    seen.push_back("GPU " + std::to_string(gpu.id) + " (" + in_words(gpu) + ")");
  throw Error(Exit::placement, in_words(rank) + " has no GPU " + std::to_string(wish.value) +
                                   ", which " + wish.by + " asks for; it sees " +
                                   text::join(seen));
}

/// One GPU per rank of the node.
std::vector<Gpu> choose(std::vector<Sight> const& node, Parallel const& parallel,
                        std::optional<Wish> const& flag, Environment const& environment)
{
  std::vector<Gpu> chosen;
  for (auto const& rank : node) {
    auto const local_rank = static_cast<int>(chosen.size());
    if (rank.gpus.empty())
      throw Error(Exit::placement, in_words(rank) +
                                       " sees no GPU and this build runs on GPUs; ask the "
                                       "scheduler for one GPU per rank or use a CPU build");
    auto const wish = wished_gpu(local_rank, parallel, flag, environment);
    chosen.push_back(
        wish ? wished_of(rank, *wish)
             : rank.gpus[static_cast<std::size_t>(next_free(rank, local_rank, chosen))]);
  }
  return chosen;
}

/// The ranks that share a GPU, in words.
std::vector<std::string> shared_gpus(std::vector<Sight> const& node,
                                     std::vector<Gpu> const& chosen)
{
  std::vector<std::string> shared;
  auto const meet = [&](std::size_t a, std::size_t b) { return same(chosen[a], chosen[b]); };
  for (auto const& group : groups(node.size(), meet))
    if (group.size() > 1)
      shared.push_back(in_words(node, group) + (group.size() == 2 ? " both" : " all") +
                       " use " + in_words(chosen[group.front()]));
  return shared;
}

/// The warnings about a rank's own GPU.
void warn_of_gpu(NodeMap& map, Sight const& rank, Gpu const& gpu)
{
  if (gpu.pci_id.empty() && gpu.uuid.empty() && map.devices.size() > 1) {
    map.exclusive = false;
    map.warnings.push_back(
        in_words(rank) + " uses " + in_words(gpu) +
        ", whose driver hides PCI id and UUID: another rank may have it too");
  }
  if (rank.numa.size() == 1 && gpu.numa >= 0 && rank.numa.front() != gpu.numa)
    map.warnings.push_back(in_words(rank) + " runs on NUMA node " +
                           std::to_string(rank.numa.front()) + " but " + in_words(gpu) +
                           " is attached to NUMA node " + std::to_string(gpu.numa) +
                           ": its transfers take the long way");
}

void map_gpus(NodeMap& map, std::vector<Sight> const& node, Parallel const& parallel,
              std::vector<Gpu> const& chosen)
{
  auto const shared = shared_gpus(node, chosen);
  if (!shared.empty() && !parallel.share_devices)
    throw Error(Exit::placement, text::join(shared, "; ") + "; start one rank per GPU or set "
                                                            "parallel.share_devices: true");
  map.exclusive = shared.empty();
  map.warnings = shared;
  for (std::size_t i = 0; i < node.size(); ++i) {
    map.devices[i] = chosen[i].id;
    warn_of_gpu(map, node[i], chosen[i]);
  }
}

} // namespace

NodeMap map_node(std::vector<Sight> const& node, Parallel const& parallel,
                 std::optional<Wish> const& device_flag, Target target,
                 Environment const& environment)
{
  NodeMap map;
  map.devices.assign(node.size(), -1);
  for (auto const& rank : node)
    map.threads.push_back(target == Target::serial ? 1 : host_threads(node, rank));

  if (target == Target::gpu) {
    map_gpus(map, node, parallel, choose(node, parallel, device_flag, environment));
    return map;
  }
  if (wished_in_deck(parallel.device))
    throw Error(Exit::placement, "parallel.device is " + parallel.device +
                                     " but this build runs on CPUs, where a rank's device is "
                                     "its cpuset; set parallel.device: auto");
  map_cores(map, node, parallel, target);
  return map;
}

} // namespace strata::runtime
