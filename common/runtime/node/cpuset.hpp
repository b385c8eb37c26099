#pragma once

#include "system_files.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::runtime {

/// Numbers of hardware threads as the kernel counts them, ascending.
using Cpus = std::vector<int>;

/// {0, 1, 2, 3, 8} from the kernel's list format "0-3,8".
Cpus parse_cpus(std::string_view list);

/// "0-3,8"
std::string format_cpus(Cpus const& cpus);

/// True when some hardware thread is in both.
bool intersect(Cpus const& a, Cpus const& b);

/// The hardware threads that the calling thread may run on.
Cpus thread_cpus();

/// Confines the calling thread, and those it starts from now on, to `cpus`. Where the kernel
/// refuses, nothing changes.
void bind_thread(Cpus const& cpus);

/// The hardware threads that the launcher gave this process. Taken once, by the first call,
/// which is before MPI and Kokkos start; where the OpenMP runtime has already bound the
/// initial thread (OMP_PROC_BIND, OMP_PLACES), the union of its places.
Cpus const& process_cpus();

/// Physical cores in a cpuset: hardware threads of one core count once.
int core_count(Cpus const& cpus, Root const& root = "/");

/// The NUMA nodes that a cpuset touches.
std::vector<int> numa_nodes(Cpus const& cpus, Root const& root = "/");

/// Bytes of the last cache before the memory of the cpuset: those of the outermost level, every
/// instance that serves the cpuset counted once, or of the memory-side caches of its NUMA nodes
/// (fast memory that caches slow memory) where they are larger. 0 where the system does not
/// tell.
std::int64_t cache_bytes(Cpus const& cpus, Root const& root = "/");

/// CPU time per time that the control groups grant to this process and those in its group;
/// nothing where they grant all.
std::optional<double> cpu_quota(Root const& root = "/");

/// "AMD EPYC 9654 96-Core Processor"; "unknown CPU" where the system does not tell.
std::string cpu_model(Root const& root = "/");

} // namespace strata::runtime
