#pragma once

#include "sight.hpp"
#include "wish.hpp"

#include "runtime/node/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace strata::runtime {

/// The deck's `parallel` part.
struct Parallel
{
  std::string device = "auto";        ///< auto, or the number of a visible GPU
  bool share_devices = false;         ///< several ranks may use one device; never official
  std::string gpu_aware_mpi = "auto"; ///< auto, aware, peer, staged, on (aware), off (staged)
};

/// Where kernels run in this build.
enum class Target
{
  serial,  ///< one host thread
  threads, ///< host threads
  gpu
};

/// Devices and threads of the ranks of one node, in the order of their Sights.
struct NodeMap
{
  std::vector<int> devices; ///< the number that Kokkos takes; -1 in a CPU build
  std::vector<int> threads; ///< host threads
  bool exclusive = true;    ///< no rank shares its device (on CPUs: its cpuset) with another
  std::vector<std::string> warnings;
};

/// Places the ranks of one node; the order of `node` is that of their node-local numbers.
/// A GPU's number comes from the Kokkos flag, else CTest's resource variables, else
/// KOKKOS_DEVICE_ID, else the deck; `auto` takes the first GPU, from the rank's node-local
/// number on, that no lower rank has. Host threads: the user's number, else the rank's cores,
/// divided by the ranks whose cpusets overlap its own. A pure function: every rank of the node
/// gets the same map or the same Error(Exit::placement).
NodeMap map_node(std::vector<Sight> const& node, Parallel const& parallel,
                 std::optional<Wish> const& device_flag, Target target,
                 Environment const& environment);

} // namespace strata::runtime
