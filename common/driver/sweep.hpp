#pragma once

#include "miniapp.hpp"

#include "measure/energy.hpp"
#include "measure/rules.hpp"
#include "measure/turns.hpp"
#include "runtime/mpi/communicator.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::driver {

/// The results of a sweep. Equal on all ranks, except that only rank 0 has the texts.
struct Findings
{
  std::vector<report::Case> cases;
  std::vector<report::Case> ceilings;
  std::optional<measure::Energy> energy; ///< of all rounds, and the warm-ups in the first
  std::string energy_reason;             ///< why there is none
  bool converged = false;                ///< every measured case, before max_time_s was over
  bool interrupted = false;
  int rounds = 0;
  double measured_s = 0; ///< time of the rounds without warm-ups
};

/// Measures the cases: a step and check of each; rounds, in which each case is sampled once, in
/// an order equal on all ranks, until the stopping rule is met; a last sample and check of
/// each. A case warms up right before its first sample. Where three rounds show samples of less
/// than half the length they must have, the rounds begin again with more steps a sample. A case
/// that fails its check is recorded, and the others continue. Collective; an exception in a
/// timed step ends the job, because the other ranks wait for this one.
class Sweep
{
public:
  Sweep(runtime::Communicator const& world, measure::Rules const& rules,
        std::function<void(std::string const&)> progress,
        Placement placement = Placement::once);

  /// Adds cases, the same on all ranks. A case that one rank cannot run is run by none. Those
  /// of the `ceiling` are reported apart.
  void add(std::vector<Case> cases, bool ceiling);

  /// The samples will be taken in turn with another run's, of one rank as this one; both take
  /// as many rounds, and waiting is no measuring time.
  void take_turns(measure::Meeting const& meeting) { meeting_ = meeting; }

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
    bool warm = false;
    bool faulty = false; ///< the run's fault is of this case
    bool spoilt = false; ///< and has altered its output on this rank
    std::map<std::string, std::vector<double>> phases; ///< of the samples kept, by name
  };

  void describe(Entry& entry);
  void prepare(Entry& entry);
  void try_one_step(Entry& entry);
  void warm_up(Entry& entry);
  void calibrate(Entry& entry);
  void measure_rounds();
  void take_rounds(std::vector<Entry*> const& living, measure::EnergyMeter& meter);
  bool take_round(std::vector<Entry*> const& living);
  void in_turn(std::function<void()> const& work);
  bool lengthen(std::vector<Entry*> const& living);
  void drop_samples(std::vector<Entry*> const& living);
  void close(Entry& entry);
  void check(Entry& entry, int steps);
  void sample(Entry& entry, bool keep);
  void spend_step(Entry& entry);
  void reset(Entry& entry);
  void finish(Entry& entry);
  void assemble();
  [[nodiscard]] std::vector<Entry*> alive();
  /// Time since `start` of measure::now(), the same on all ranks.
  [[nodiscard]] double agreed_since(double start) const;
  [[nodiscard]] bool stop_asked();

  runtime::Communicator world_;
  measure::Rules rules_;
  std::function<void(std::string const&)> progress_;
  Workspace workspace_;
  std::vector<Entry> entries_;
  std::optional<verify::Fault> fault_;
  Findings findings_;
  double sample_target_s_ = 0;
  double warmed_s_ = 0; ///< time of warm-ups within the rounds; equal on all ranks
  int rounds_begun_ = 0;
  int retakes_ = 0; ///< times that the rounds have begun again
  std::optional<measure::Meeting> meeting_;
  std::unique_ptr<measure::Turns> turns_; ///< while rounds are taken; null: nobody to wait for
};

} // namespace strata::driver
