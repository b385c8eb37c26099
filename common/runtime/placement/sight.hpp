#pragma once

#include "wish.hpp"

#include "runtime/node/cpuset.hpp"
#include "runtime/node/gpu.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace strata::runtime {

/// What one rank knows of its node before Kokkos is initialised.
struct Sight
{
  std::string host;
  int rank = 0;                ///< in the world
  Cpus cpus;                   ///< its cpuset
  int cores = 1;               ///< physical cores in it
  std::vector<int> numa;       ///< NUMA nodes that the cpuset touches
  std::string proc_bind;       ///< OMP_PROC_BIND as the user set it; empty when not set
  std::optional<double> quota; ///< CPU quota of all ranks of the node, in CPUs
  std::optional<Wish> threads; ///< host threads, where the user set them
  std::vector<Gpu> gpus;
};

/// Conversion to texts, to send to the other ranks of the node, and back.
std::string pack_sight(Sight const& sight);
Sight unpack_sight(std::string const& packed);

/// "NVIDIA H200 0000:18:00.0"
std::string in_words(Gpu const& gpu);

/// "rank 3 on host n1"
std::string in_words(Sight const& rank);

/// "ranks 0, 2 and 3 on host n1"; `members` are positions in `node`.
std::string in_words(std::vector<Sight> const& node, std::vector<std::size_t> const& members);

/// The connected groups of positions 0 to count-1, where `meet` says which two are connected.
/// In ascending order, groups by their first member.
template <class Meet>
std::vector<std::vector<std::size_t>> groups(std::size_t count, Meet const& meet)
{
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t member = 0; member < count; ++member) {
    std::vector<std::size_t> joined{member};
    std::erase_if(found, [&](auto const& group) {
      bool const met = std::any_of(group.begin(), group.end(),
                                   [&](std::size_t other) { return meet(other, member); });
      if (met)
        joined.insert(joined.end(), group.begin(), group.end());
      return met;
    });
    std::sort(joined.begin(), joined.end());
    found.push_back(std::move(joined));
  }
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace strata::runtime
