#pragma once

#include "device_map.hpp"
#include "sight.hpp"

#include <vector>

namespace strata::runtime {

/// Host threads of a rank: what the user set, else its cores, shared with the ranks whose
/// cpusets overlap its own, within the time that the control group grants; at least 1.
int host_threads(std::vector<Sight> const& node, Sight const& rank);

/// The CPU half of map_node, whose threads are set: judges cpusets against each other and
/// against the threads that the user set. More of those than CPUs in the rank's cpuset is an
/// Error(Exit::placement), unless devices may be shared; overlap is a warning.
void map_cores(NodeMap& map, std::vector<Sight> const& node, Parallel const& parallel,
               Target target);

} // namespace strata::runtime
