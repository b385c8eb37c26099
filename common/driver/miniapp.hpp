#pragma once

#include "workspace.hpp"

#include "deck/schema.hpp"
#include "measure/work.hpp"
#include "report/record.hpp"
#include "runtime/mpi/communicator.hpp"
#include "runtime/mpi/gpu_aware.hpp"
#include "runtime/share.hpp"
#include "verify/fault.hpp"
#include "verify/verdict.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::driver {

/// A figure of merit: `amount` of something done per step on this rank; the rate follows
/// from the time. Higher is better.
struct Metric
{
  std::string name; ///< "bandwidth"
  std::string unit; ///< SI base unit of the rate, "B/s"
  double amount;
};

/// One case made ready to run on this rank: state, the timed step and its check.
class Trial
{
public:
  Trial() = default;
  Trial(Trial const&) = delete;
  Trial& operator=(Trial const&) = delete;
  virtual ~Trial() = default;

  /// Establishes all inputs and spoils all outputs (NaN), so that only a step makes them
  /// right. Untimed; runs before each sample.
  virtual void reset() = 0;
  /// The timed work; may return before it has finished.
  virtual void step() = 0;
  /// One step's work on this rank.
  [[nodiscard]] virtual measure::Work work() const = 0;
  /// Figures of merit, the primary one first.
  [[nodiscard]] virtual std::vector<Metric> metrics() const = 0;
  /// Parts of the steps since reset that are told apart, such as communication, in seconds per
  /// step on this rank; the same names on all ranks.
  [[nodiscard]] virtual std::vector<report::Phase> phases() const { return {}; }
  /// What it found out, such as a checksum of its answer: said after the last check, the same
  /// on all ranks, shown with the problem's facts.
  [[nodiscard]] virtual report::Facts findings() const { return {}; }
  /// How it went on these ranks, such as how evenly the work was spread: figures that are no
  /// part of the problem, the same on all ranks, said where findings are. One called `warning`
  /// is shown beside the case.
  [[nodiscard]] virtual report::Facts outcome() const { return {}; }
  /// Checks the outputs of `steps` steps since reset against what they must be; local to
  /// this rank unless the check itself is collective. The driver reduces over ranks. Throws
  /// Error{Exit::verification} where it knows better why the case has failed.
  virtual std::vector<verify::Verdict> verify(int steps) = 0;
  /// Where a fault is put to test `verify`.
  virtual verify::Output output() = 0;
};

/// Builds a trial, taking its memory.
using Maker = std::function<std::unique_ptr<Trial>(Workspace&)>;

/// One combination of the axes, described before anything is allocated.
struct Case
{
  std::string label; ///< "triad/span/left/double"
  report::Facts axes;
  report::Facts problem;     ///< sizes and the like, over all ranks
  std::string unavailable;   ///< why it cannot run here; empty if it can
  std::string control;       ///< label of the case it is compared with by round, or empty
  std::vector<Slot> slots;   ///< pooled memory
  index_t private_bytes = 0; ///< memory of its own on this rank
  index_t shared_bytes = 0;  ///< memory on this rank that it has together with all other cases
  Maker make;                ///< builds the trial once memory is known to be enough
};

/// Appends a case to the list and returns it; null where there is one of that label, or nothing
/// to make it with.
inline Case* add_new(std::vector<Case>& cases, std::string label, Maker make)
{
  if (!make || std::ranges::count(cases, label, &Case::label) > 0)
    return nullptr;
  auto& added = cases.emplace_back();
  added.label = std::move(label);
  added.make = std::move(make);
  return &added;
}

/// Replaces each choice by one for each of the words, its `axis` being that word. Of several
/// axes the last one varies fastest.
template <class Choice, class Word>
void expand(std::vector<Choice>& all, Word Choice::* axis, std::vector<Word> const& words)
{
  std::vector<Choice> expanded;
  for (auto const& choice : all)
    for (auto const& word : words) {
      expanded.push_back(choice);
      expanded.back().*axis = word;
    }
  all = std::move(expanded);
}

/// What an app is told when it lists its cases.
struct Setting
{
  runtime::Share share;
  std::uint64_t seed = 1;
  index_t device_bytes = 0; ///< memory that this rank may use; 0 when only listing
  index_t cache_bytes = 0;  ///< last-level cache of this rank's device; 0 when only listing
  runtime::Communicator world = runtime::Communicator::self(); ///< of all ranks that share
  runtime::GpuAware gpu_aware = {"auto", "staged", ""};        ///< the path of device arrays

  /// Bytes that no cache helps with: four times the last level (STREAM's rule), 64 MiB at
  /// least.
  [[nodiscard]] index_t cache_rule() const
  {
    return std::max(4 * cache_bytes, index_t{64} << 20);
  }
  /// Bytes of an array that is to be as large as that, and on a GPU 1 GiB at least.
  [[nodiscard]] index_t beyond_cache() const
  {
    return device_is_host ? cache_rule() : std::max(cache_rule(), index_t{1} << 30);
  }
  /// Bytes on this rank of each of so many arrays that take that fraction of its memory;
  /// `otherwise` where there is no fraction, or the memory is not known.
  [[nodiscard]] index_t array_bytes(std::optional<double> fraction, double arrays,
                                    index_t otherwise) const
  {
    return fraction && device_bytes > 0
               ? static_cast<index_t>(*fraction * static_cast<double>(device_bytes) / arrays)
               : otherwise;
  }
};

/// The contract of a mini-app: `struct App` in its main.cpp.
template <class A>
concept MiniApp = requires(typename A::Config const& config, Setting const& setting) {
  { A::name } -> std::convertible_to<char const*>;
  { A::about } -> std::convertible_to<char const*>;
  { A::schema() } -> std::same_as<deck::Schema<typename A::Config>>;
  { A::cases(config, setting) } -> std::same_as<std::vector<Case>>;
};

} // namespace strata::driver
