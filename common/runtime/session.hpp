#pragma once

#include "share.hpp"

#include "mpi/communicator.hpp"
#include "mpi/gpu_aware.hpp"
#include "placement/device_map.hpp"
#include "placement/place.hpp"

#include <string>
#include <vector>

namespace strata::runtime {

/// Initialises MPI in the constructor and Kokkos in `start`; `end` or the destructor finalises
/// them in reverse order, also during an exception. An exception of one rank alone must end the
/// job by Communicator::abort, since the other ranks may wait in a collective.
class Session
{
public:
  /// Stores the process's cpuset, then initialises MPI. Without mpirun there is one rank.
  Session(int& argc, char**& argv);
  ~Session() { end(); }
  Session(Session const&) = delete;
  Session& operator=(Session const&) = delete;

  [[nodiscard]] Communicator const& world() const { return world_; }

  /// Maps node-local ranks to devices and cores, starts Kokkos there and decides the path of
  /// device arrays between ranks. Of `kokkos_flags` ("--kokkos-...") a device or a number of
  /// threads wins over everything else; the others reach Kokkos unchanged. Collective; throws
  /// the same Error on all ranks: placement, or command_line for a flag that Kokkos refuses.
  void start(Parallel const& parallel, std::vector<std::string> kokkos_flags);

  /// Brings Kokkos and MPI down, once; returns when all ranks have come here.
  void end();

  /// On rank 0 one Place per rank, elsewhere empty; after start.
  [[nodiscard]] std::vector<Place> const& placement() const { return placement_; }

  /// On rank 0 the warnings about the placement: overlapping cpusets, devices shared on
  /// request, distant NUMA nodes; after start.
  [[nodiscard]] std::vector<std::string> const& warnings() const { return warnings_; }

  /// One rank per device, or disjoint cpusets, on every node: a condition for `official`.
  [[nodiscard]] bool exclusive() const { return exclusive_; }

  [[nodiscard]] GpuAware const& gpu_aware() const { return gpu_aware_; }

  [[nodiscard]] Share share() const { return {world_.rank(), world_.ranks()}; }

private:
  Communicator world_;
  bool ended_ = false;
  std::vector<Place> placement_;
  std::vector<std::string> warnings_;
  bool exclusive_ = true;
  GpuAware gpu_aware_;
};

} // namespace strata::runtime
