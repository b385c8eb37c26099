#pragma once

#include "miniapp.hpp"

#include "measure/energy.hpp"
#include "measure/rules.hpp"
#include "runtime/mpi/communicator.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strata::driver {

/// The results of a sweep. Equal on all ranks, except that only rank 0 has the texts.
struct Findings
{
  std::vector<report::Case> cases;
  std::optional<report::Ceiling> ceiling;
  std::optional<measure::Energy> energy; ///< of all rounds
  std::string energy_reason;             ///< why there is none
  bool converged = true;
  bool drift = false;
  bool interrupted = false;
  int rounds = 0;
};

/// Measures the cases: warm-up and check of each; rounds, in which each case is sampled once,
/// in an order equal on all ranks, until the stopping rule is met; a last sample and check of
/// each. A case that fails its check is recorded, and the others continue. Collective; an
/// exception in a timed step ends the job, because the other ranks wait for this one.
class Sweep
{
public:
  Sweep(runtime::Communicator const& world, measure::Rules const& rules,
        std::function<void(std::string const&)> progress);

  /// Adds cases, the same on all ranks. A case that one rank cannot run is run by none. Cases
  /// of the `ceiling` give the run's bandwidth ceiling and are not reported.
  void add(std::vector<Case> cases, bool ceiling);

  /// Bytes that this rank's cases will allocate; each pooled block counts once, at its largest.
  [[nodiscard]] index_t bytes() const;

  Findings run(std::optional<verify::Fault> const& fault);

private:
  struct Entry
  {
    Case description;
    bool ceiling = false;
    report::Case result;
    std::unique_ptr<Trial> trial; ///< null: unavailable, failed or finished
    int inner = 1;
    bool faulty = false;
    std::map<std::string, std::vector<double>> phases; ///< of the samples kept, by name
  };

  void describe(Entry& entry, std::optional<verify::Fault> const& fault);
  void prepare(Entry& entry);
  void warm_up(Entry& entry);
  void measure_rounds();
  void take_rounds(std::vector<Entry*> const& living, measure::EnergyMeter& meter);
  void close(Entry& entry);
  void check(Entry& entry, int steps);
  void sample(Entry& entry, bool keep);
  void spend_step(Entry& entry);
  void reset(Entry& entry);
  void finish(Entry& entry);
  void assemble();
  [[nodiscard]] std::vector<Entry*> alive();
  [[nodiscard]] bool stop_asked();

  runtime::Communicator world_;
  measure::Rules rules_;
  std::function<void(std::string const&)> progress_;
  Workspace workspace_;
  std::vector<Entry> entries_;
  std::optional<verify::Fault> fault_;
  Findings findings_;
  double warm_since_ = 0;
};

} // namespace strata::driver
