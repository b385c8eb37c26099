#pragma once

#include "mpi/communicator.hpp"
#include "node/environment.hpp"

#include <string>
#include <vector>

namespace strata::runtime {

/// Which Strata this is.
struct SuiteFacts
{
  std::string version; ///< "0.1.0"
  std::string git;     ///< commit; "unknown" outside a clone
  bool dirty = false;  ///< built from a tree with changes of its own
};

/// How it was built.
struct BuildFacts
{
  std::string type;     ///< "Release"
  std::string compiler; ///< "GNU 12.2.0"
  std::string flags;
  std::string cxx;                   ///< "C++20"
  std::string kokkos;                ///< "3.4.1"
  std::vector<std::string> backends; ///< {"OpenMP", "Serial"}, the device's first
  std::string arch;                  ///< "HOPPER90 AVX2": GPU where there is one, and CPU
  bool bounds_check = false;
  std::string mpi; ///< "Open MPI v4.1.4"
};

/// The batch job that a run is part of; texts are empty outside of one.
struct Job
{
  std::string scheduler; ///< slurm, pbs, lsf, flux or none
  std::string id;
  std::string array_index;
};

SuiteFacts suite_facts();

/// After Kokkos is up.
BuildFacts build_facts();

/// Of the innermost scheduler: Flux may run within another's job.
Job job(Environment const& environment = process_environment);

/// Short name of the system for folders of results: STRATA_SYSTEM, else the cluster's name
/// as Slurm knows it, else the host's without its number.
std::string system_name(Environment const& environment = process_environment);

/// What STRATA_LABEL says of the run, for its record.
std::string user_label(Environment const& environment = process_environment);

/// "2026-01-31T12:34:56Z", now.
std::string utc_now();

/// Nodes that the job runs on; collective.
int node_count(Communicator const& world);

/// What watches this run through Kokkos' hooks or the GPU driver's, as path or variable;
/// empty when nothing does. After Kokkos is up. A watched run is never official.
std::string profiling_tool(Environment const& environment = process_environment);

} // namespace strata::runtime
