#pragma once

#include "measure/energy.hpp"
#include "measure/statistics.hpp"
#include "measure/work.hpp"
#include "runtime/context.hpp"
#include "runtime/mpi/gpu_aware.hpp"
#include "runtime/placement/place.hpp"
#include "verify/verdict.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata::report {

/// All facts and results of one run of one app; `record.schema.json` describes it as JSON. In
/// SI base units: seconds, bytes, things per second.

struct Run
{
  std::string id;        ///< set when the record is written: the stem of its default name
  std::string start_utc; ///< "2026-01-31T12:34:56Z"
  std::vector<std::string> cmdline;
  std::string user_label, system;
  runtime::Job job;
  std::string tier;
};

struct Deck
{
  std::string path;                   ///< empty for the built-in default
  std::string sha256;                 ///< of the file's text
  std::string effective;              ///< the whole deck as it was run, defaults filled in
  std::vector<std::string> defaults;  ///< paths of the keys that have their default there
  std::vector<std::string> overrides; ///< "key.path=value", as given with --set
};

struct Mpi
{
  int ranks = 1, nodes = 1;
  runtime::GpuAware gpu_aware;
};

enum class Better
{
  higher,
  lower
};
enum class Scope
{
  job,   ///< all ranks together
  device ///< the slowest device
};

/// A figure of merit: the median, its interval and the best value.
struct Fom
{
  std::string metric, unit; ///< "bandwidth", "B/s"
  Better better = Better::higher;
  Scope scope = Scope::job;
  double value = 0;
  int n = 0;
  std::optional<measure::Interval> ci95 = std::nullopt;
  double best = 0;
};

/// The rate where one step handles `amount` of things: amount / time. The ends of the interval
/// change places, and the best time gives the best rate.
Fom rate(std::string metric, std::string unit, Scope scope, double amount,
         measure::Statistics const& time);

/// Names and values, in an order that is kept.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Time of work outside the samples, such as setup and checks, or of a part of a step, such as
/// communication: then of the slowest rank, per step, the median of the samples.
struct Phase
{
  std::string name;
  double seconds = 0;
};

/// This case's time over the time of `against`, paired by round; above 1 this case is slower.
struct TimeRatio
{
  std::string against; ///< the control's label
  measure::Ratio ratio;
};

enum class Status
{
  measured,
  failed,      ///< a verdict rejected it, or it threw; it has no figure of merit
  unavailable, ///< this build or device cannot run it
  incomplete   ///< interrupted
};

struct Case
{
  std::string label;             ///< "triad/span/left/double"
  Facts axes;                    ///< in the label's order
  Facts problem;                 ///< sizes and the like
  Facts outcome;                 ///< facts about this run of it; `warning` is shown beside it
  measure::Work work;            ///< of one step, summed over ranks
  std::int64_t memory_bytes = 0; ///< of the arrays, summed over ranks
  std::vector<double> samples_s; ///< per step, maximum over ranks, in the order taken
  std::vector<double> rank_min_s, rank_mean_s;
  std::vector<int> slowest_rank; ///< whose time the sample is
  int inner = 1;                 ///< steps per sample
  double warmup_s = 0;           ///< time of steps before the first sample
  int checked = 0;               ///< times that all verdicts passed: before and after
  bool converged = false;        ///< rounds done, and the median's interval within 1 %
  bool in_cache = false;         ///< a cache may hold its data
  std::vector<Fom> foms;
  std::vector<verify::Verdict> checks;
  std::vector<Phase> phases;
  std::vector<TimeRatio> ratios;
  Status status = Status::measured;
  std::string reason; ///< why it is not measured, unless a check failed

  /// Of `samples_s`; none before the first.
  [[nodiscard]] std::optional<measure::Statistics> statistics() const;

  /// Why it is not measured, in words: the reason given, else the first check that failed.
  [[nodiscard]] std::string why() const;

  /// The figures that may be reported: all, or none unless measured and found right.
  [[nodiscard]] std::span<Fom const> figures() const;

  /// The figure that tables show: the first of the whole job, if there is one.
  [[nodiscard]] Fom const* primary() const;
};

struct Validity
{
  bool valid = false, official = false;
  std::vector<std::string> reasons; ///< one word each: why not valid, or not official
};

struct Record
{
  static constexpr int schema = 2;      ///< of the JSON
  static constexpr int fom_version = 1; ///< of what the figures mean

  runtime::SuiteFacts suite;
  std::string app;
  runtime::BuildFacts build;
  Run run;
  Deck deck;
  std::vector<runtime::Place> placement;
  Mpi mpi;
  std::vector<Case> ceilings; ///< cases that measure the memory; none in tier smoke
  std::vector<Case> cases;
  std::optional<measure::Energy> energy;              ///< of the measuring rounds of all cases
  std::string energy_reason = "nothing was measured"; ///< why there is none
  Validity validity;
  Facts environment; ///< allow-listed variables
};

/// "measured", "job" and so on: the words of the record and of the FOM lines.
std::string_view word(Status status);
std::string_view word(Better better);
std::string_view word(Scope scope);

} // namespace strata::report
