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
  bool dirty = false;  ///< built from a tree with uncommitted changes
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

/// To be called after Kokkos is initialised.
BuildFacts build_facts();

/// The job of the innermost scheduler: Flux may run inside another one's job.
Job job(Environment const& environment = process_environment);

/// Short name of the system for folders of results: STRATA_SYSTEM, else the cluster's name
/// as Slurm knows it, else the host's without its number.
std::string system_name(Environment const& environment = process_environment);

/// The user's label of the run, from STRATA_LABEL.
std::string user_label(Environment const& environment = process_environment);

/// "2026-01-31T12:34:56Z", now.
std::string utc_now();

/// Nodes that the job runs on; collective.
int node_count(Communicator const& world);

/// The profiling tool that is attached by Kokkos' or the GPU driver's hooks, as path or
/// variable; empty where there is none. To be called after Kokkos is initialised. With a tool
/// no run is official.
std::string profiling_tool(Environment const& environment = process_environment);

} // namespace strata::runtime
