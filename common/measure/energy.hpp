#pragma once

#include "runtime/mpi/communicator.hpp"
#include "runtime/node/system_files.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::measure {

/// Energy used over a period of time. Values of different scopes are not comparable.
struct Energy
{
  std::string source; ///< "NVML", "RAPL"
  std::string scope;  ///< "device": GPU boards; "package": processors, without most memory
  double joules = 0;
  double seconds = 0;
};

/// An energy counter.
class EnergyCounter
{
public:
  EnergyCounter() = default;
  EnergyCounter(EnergyCounter const&) = delete;
  EnergyCounter& operator=(EnergyCounter const&) = delete;
  virtual ~EnergyCounter() = default;
  /// Joules since some fixed time; nothing where the counter cannot be read. Must be called
  /// more often than the hardware counter wraps around, which takes minutes.
  virtual std::optional<double> joules() = 0;
};

/// The sum over all processor packages of this node, from the kernel's powercap files, which on
/// most systems only root can read. Null, with the reason in `why`, where there is none.
std::unique_ptr<EnergyCounter> rapl_counter(std::string& why, runtime::Root const& root = "/");

/// The board of the GPU that this process uses, from NVML, which is loaded at run time. Null,
/// with the reason in `why`, where there is none.
std::unique_ptr<EnergyCounter> nvml_counter(std::string& why);

/// Whether this rank reads a counter: the first rank on each board does, so that a board that
/// ranks share counts once. `boards` has the PCI id of the GPU of each rank of the node, in
/// node-local order. In a build for CPUs these are empty, and the first rank of the node reads
/// the packages.
bool reads_counter(std::vector<std::string> const& boards, int local_rank);

/// Energy of all ranks' devices: each GPU board or, in a build for CPUs, the packages of each
/// node. Collective throughout, the same answer on all ranks.
class EnergyMeter
{
public:
  explicit EnergyMeter(runtime::Communicator const& world);
  /// `counter` is null where this rank reads none; `why` gives the reason where it should read
  /// one and cannot, and is empty otherwise.
  EnergyMeter(runtime::Communicator const& world, std::unique_ptr<EnergyCounter> counter,
              std::string source, std::string scope, std::string why);

  void start();
  /// Reads the counter, so that no wrap-around is missed. Not collective.
  void keep_up();
  /// Since start(). Nothing where a counter is missing or could not be read, or where less than
  /// two seconds have passed, too few updates of the counters; reason() says which.
  std::optional<Energy> stop();
  [[nodiscard]] std::string const& reason() const { return reason_; }

private:
  runtime::Communicator world_;
  std::unique_ptr<EnergyCounter> counter_;
  std::string source_, scope_, reason_;
  std::optional<double> before_;
  double since_ = 0;
};

} // namespace strata::measure
