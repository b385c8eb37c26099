#pragma once

#include "workspace.hpp"

#include "array/access/narrow.hpp"
#include "base/error.hpp"
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

/// A figure of merit: the rate at which `amount` is done, of which one step on this rank does
/// that much. Higher is better.
struct Metric
{
  std::string name; ///< "bandwidth"
  std::string unit; ///< SI base unit of the rate, "B/s"
  double amount;
};

/// One case on this rank, ready to run: its arrays, the timed step and its check.
class Trial
{
public:
  Trial() = default;
  Trial(Trial const&) = delete;
  Trial& operator=(Trial const&) = delete;
  virtual ~Trial() = default;

  /// Sets all inputs and overwrites all outputs with NaN, so that only a step can make them
  /// right. Not timed; runs before each sample.
  virtual void reset() = 0;
  /// The timed work. It may return before the device has finished.
  virtual void step() = 0;
  /// One step's work on this rank.
  [[nodiscard]] virtual measure::Work work() const = 0;
  /// Figures of merit, the primary one first.
  [[nodiscard]] virtual std::vector<Metric> metrics() const = 0;
  /// Parts of a step that are timed separately, such as communication: seconds per step since
  /// reset, on this rank. All ranks have the same names.
  [[nodiscard]] virtual std::vector<report::Phase> phases() const { return {}; }
  /// Facts about the answer, such as a checksum, shown with the facts about the problem. Asked
  /// for after the last check; the same on all ranks.
  [[nodiscard]] virtual report::Facts findings() const { return {}; }
  /// Facts about this run on these ranks, such as its load balance, which are no part of the
  /// problem. Asked for after the last check; the same on all ranks. The one called `warning`
  /// is shown beside the case.
  [[nodiscard]] virtual report::Facts outcome() const { return {}; }
  /// Compares the outputs with the values that they must have `steps` steps after reset. Checks
  /// this rank's part, unless the check itself is collective; the driver reduces over ranks.
  /// Throws Error{Exit::verification} to give the reason of a failure in its own words.
  virtual std::vector<verify::Verdict> verify(int steps) = 0;
  /// All that a step has written, in which the driver injects a fault to test `verify`.
  virtual verify::Output output() = 0;
};

/// Builds a trial and takes its memory from the workspace.
using Maker = std::function<std::unique_ptr<Trial>(Workspace&)>;

/// One combination of the axes, described before anything is allocated.
struct Case
{
  std::string label; ///< "triad/span/left/double"
  report::Facts axes;
  report::Facts problem;     ///< sizes and the like, over all ranks
  std::string unavailable;   ///< why it cannot run here; empty if it can
  std::string control;       ///< label of the case to compare with, round by round, or empty
  std::vector<Slot> slots;   ///< pooled memory
  index_t private_bytes = 0; ///< memory on this rank for this case alone
  index_t shared_bytes = 0;  ///< memory on this rank that all cases of the run share
  Maker make;                ///< called once it is known that memory suffices
};

/// Why apps have no hand-written control on this device; empty where they have one.
inline char const* native_unavailable()
{
  return device_is_host || device_is_cuda ? "" : "no hand-written kernel for this device";
}

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

/// Calls f.operator()<T>() with the type of numbers that a deck's word names.
template <class F>
auto with_scalar(std::string const& word, F const& f)
{
  if (word == "float")
    return f.template operator()<float>();
  if (word == "half")
    return f.template operator()<float16>();
  if (word == "bfloat16")
    return f.template operator()<bfloat16>();
  STRATA_CHECK(word == "double", "no numbers are called '" + word + "'");
  return f.template operator()<double>();
}

/// What an app knows when it lists its cases.
struct Setting
{
  runtime::Share share;
  std::uint64_t seed = 1;
  index_t device_bytes = 0; ///< memory that this rank may use; 0 when only listing
  index_t cache_bytes = 0;  ///< last-level cache of this rank's device; 0 when only listing
  runtime::Communicator world = runtime::Communicator::self(); ///< all ranks of the job
  runtime::GpuAware gpu_aware = {"auto", "staged", ""};        ///< how device arrays are sent

  /// Size of data that no cache holds: four times the last-level cache (STREAM's rule), at
  /// least 64 MiB on a host and 1 GiB on a GPU. Each case of an official run has as much.
  [[nodiscard]] index_t beyond_cache() const
  {
    return std::max(4 * cache_bytes, device_is_host ? index_t{64} << 20 : index_t{1} << 30);
  }
  /// Size of one of `arrays` equal arrays that together fill `fraction` of this rank's memory;
  /// `otherwise` where no fraction is given or the memory is not known.
  [[nodiscard]] index_t array_bytes(std::optional<double> fraction, double arrays,
                                    index_t otherwise) const
  {
    return fraction && device_bytes > 0
               ? static_cast<index_t>(*fraction * static_cast<double>(device_bytes) / arrays)
               : otherwise;
  }
};

/// The contract of a mini-app: `struct App` in its main.cpp. With a function `built_in` that
/// returns a Config, that is the built-in deck; otherwise the keys' defaults are.
template <class A>
concept MiniApp = requires(typename A::Config const& config, Setting const& setting) {
  { A::name } -> std::convertible_to<char const*>;
  { A::about } -> std::convertible_to<char const*>;
  { A::schema() } -> std::same_as<deck::Schema<typename A::Config>>;
  { A::cases(config, setting) } -> std::same_as<std::vector<Case>>;
};

} // namespace strata::driver
