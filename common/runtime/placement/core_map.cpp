#include "core_map.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <iterator>

namespace strata::runtime {

namespace {

void check_cores(Sight const& rank)
{
  auto const cpus = rank.cpus.size();
  if (!rank.threads || cpus == 0 || rank.threads->value <= static_cast<int>(cpus))
    return;
  auto const wanted = std::to_string(rank.threads->value);
  throw Error(Exit::placement,
              in_words(rank) + " may run on " + text::plural(cpus, "CPU") + " (" +
                  format_cpus(rank.cpus) + ") but " + rank.threads->by + " asks for " + wanted +
                  " threads; bind more cores to each rank (srun --cpus-per-task=" + wanted +
                  " --cpu-bind=cores, mpirun --map-by slot:PE=" + wanted +
                  "), ask for fewer threads or set parallel.share_devices: true");
}

/// Ranks that compete for the same CPUs.
void warn_of_overlap(NodeMap& map, std::vector<Sight> const& node,
                     std::vector<std::size_t> const& group)
{
  Cpus cpus;
  std::size_t threads = 0;
  std::string bound;
  for (auto const member : group) {
    Cpus both;
    std::set_union(cpus.begin(), cpus.end(), node[member].cpus.begin(), node[member].cpus.end(),
                   std::back_inserter(both));
    cpus = std::move(both);
    threads += static_cast<std::size_t>(map.threads[member]);
    if (auto const& bind = node[member].proc_bind; !bind.empty() && bind != "false")
      bound = bind;
  }
  map.exclusive = false;
  map.warnings.push_back(in_words(node, group) + " have overlapping cpusets (" +
                         text::plural(threads, "thread") + " on " +
                         text::plural(cpus.size(), "CPU") + ": " + format_cpus(cpus) +
                         ") and disturb each other; bind each rank to its own cores (srun "
                         "--cpu-bind=cores, mpirun --bind-to core --map-by slot:PE=N)");
  if (!bound.empty())
    map.warnings.push_back("OMP_PROC_BIND=" + bound + " piles the threads of " +
                           in_words(node, group) +
                           " on the same CPUs; unset it or bind each rank to its own cores");
}

/// A rank that shares no CPU with another.
void warn_of_rank(NodeMap& map, Sight const& rank, int threads)
{
  if (!rank.cpus.empty() && threads > static_cast<int>(rank.cpus.size())) {
    map.exclusive = false;
    map.warnings.push_back(in_words(rank) + " runs " + std::to_string(threads) +
                           " threads on " + text::plural(rank.cpus.size(), "CPU") + ": " +
                           format_cpus(rank.cpus));
  }
  if (rank.numa.size() > 1 && threads > 1 && rank.proc_bind.empty())
    map.warnings.push_back(in_words(rank) + " spans NUMA nodes " + format_cpus(rank.numa) +
                           " and its threads may move between them; set OMP_PROC_BIND=spread "
                           "and OMP_PLACES=cores, or start one rank per NUMA node");
}

} // namespace

int host_threads(std::vector<Sight> const& node, Sight const& rank)
{
  if (rank.threads)
    return std::max(1, rank.threads->value);
  auto const others = std::count_if(node.begin(), node.end(), [&](Sight const& other) {
    return other.rank != rank.rank && intersect(other.cpus, rank.cpus);
  });
  auto threads = rank.cores / (1 + static_cast<int>(others));
  if (rank.quota)
    threads =
        std::min(threads, static_cast<int>(*rank.quota / static_cast<double>(node.size())));
  return std::max(1, threads);
}

void map_cores(NodeMap& map, std::vector<Sight> const& node, Parallel const& parallel,
               Target target)
{
  if (target == Target::threads && !parallel.share_devices)
    for (auto const& rank : node)
      check_cores(rank);
  auto const meet = [&](std::size_t a, std::size_t b) {
    return intersect(node[a].cpus, node[b].cpus);
  };
  for (auto const& group : groups(node.size(), meet)) {
    if (group.size() > 1)
      warn_of_overlap(map, node, group);
    else
      warn_of_rank(map, node[group.front()], map.threads[group.front()]);
  }
}

} // namespace strata::runtime
