#pragma once

#include "device_map.hpp"
#include "sight.hpp"

#include <vector>

namespace strata::runtime {

/// Host threads of a rank: the user's number, else its cores, divided by the ranks whose
/// cpusets overlap its own, within the CPU quota of the control group; at least 1.
int host_threads(std::vector<Sight> const& node, Sight const& rank);

/// The CPU part of map_node, after the threads are set: compares cpusets with each other and
/// with the user's number of threads. More threads than CPUs in the rank's cpuset are an
/// Error(Exit::placement), unless devices may be shared; an overlap is a warning.
void map_cores(NodeMap& map, std::vector<Sight> const& node, Parallel const& parallel,
               Target target);

} // namespace strata::runtime
