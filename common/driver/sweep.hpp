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

/// What a sweep found; the same on all ranks but for texts, which rank 0 has.
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

/// Measures the cases, all of them once per round in an order equal on all ranks: warm-up and
/// check, rounds until the stopping rule is content, a last sample and check each. A case that
/// fails its check is recorded and the others go on. Collective; an exception in a timed step
/// ends the job, since its peers wait.
class Sweep
{
public:
  Sweep(runtime::Communicator const& world, measure::Rules const& rules,
        std::function<void(std::string const&)> progress);

  /// Adds cases to measure, the same on all ranks; one that some rank cannot run is run by
  /// none. `ceiling` ones make up the run's ceiling and are not reported.
  void add(std::vector<Case> cases, bool ceiling);

  /// Bytes that this rank's cases will allocate, at their pooled largest.
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
