#pragma once

#include "runtime/mpi/communicator.hpp"
#include "runtime/node/system_files.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::measure {

/// Energy used over a stretch of time. Figures of different scopes do not compare.
struct Energy
{
  std::string source; ///< "NVML", "RAPL"
  std::string scope;  ///< "device": GPU boards; "package": processors, without most memory
  double joules = 0;
  double seconds = 0;
};

/// A counter of energy that only grows.
class EnergyCounter
{
public:
  EnergyCounter() = default;
  EnergyCounter(EnergyCounter const&) = delete;
  EnergyCounter& operator=(EnergyCounter const&) = delete;
  virtual ~EnergyCounter() = default;
  /// Since some time before the first call; nothing where it cannot be read. To be called more
  /// often than the hardware's counter wraps, which takes minutes.
  virtual std::optional<double> joules() = 0;
};

/// The sum of all processor packages of this node, from the kernel's powercap files, which most
/// systems let only root read. Null, with `why`, where there is none.
std::unique_ptr<EnergyCounter> rapl_counter(std::string& why, runtime::Root const& root = "/");

/// The board of the GPU that this process uses, from NVIDIA's management library, loaded when
/// it is there. Null, with `why`, where there is none.
std::unique_ptr<EnergyCounter> nvml_counter(std::string& why);

/// Whether the rank at this place of its node has a counter to read: the first of those on one
/// board, so that a board that ranks share counts once. `boards` are the PCI ids of the node's
/// ranks' GPUs, in node-local order; in a build for CPUs they are empty, and the first rank
/// reads the packages.
bool reads_counter(std::vector<std::string> const& boards, int local_rank);

/// Energy of all ranks' devices: each GPU board or, in a build for CPUs, the packages of each
/// node. Collective throughout, the same answer on all ranks.
class EnergyMeter
{
public:
  explicit EnergyMeter(runtime::Communicator const& world);
  /// With this rank's counter, null where it has to read none; `why` it has none though it
  /// should, else empty.
  EnergyMeter(runtime::Communicator const& world, std::unique_ptr<EnergyCounter> counter,
              std::string source, std::string scope, std::string why);

  void start();
  /// Keeps up with counters that wrap; local.
  void keep_up();
  /// Since start(). Nothing where a counter is missing or could not be read, or where the time
  /// is below two seconds, less than counters refresh to mean something; reason() says which.
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
