#pragma once

#include <string>
#include <vector>

namespace strata::report {

/// The --benchmark_... flags, which list and filter cases and write reports for other tools.
/// All ranks read them alike; none of them changes how often a case is timed.
class GoogleBenchmarkFlags
{
public:
  GoogleBenchmarkFlags() = default;

  /// Removes every --benchmark_... from the arguments. Throws Error(Exit::command_line) for one
  /// that is unknown, has no valid value, or would override `plan`: what says how cases are
  /// timed.
  explicit GoogleBenchmarkFlags(std::vector<std::string>& arguments,
                                std::string const& plan = "the deck says what is measured, for "
                                                          "how long and in which order "
                                                          "(run.rounds, run.min_time_s, "
                                                          "run.warmup_s, run.seed)");

  /// --benchmark_list_tests: print the selected cases' names, one a line, and measure nothing.
  [[nodiscard]] bool lists() const { return lists_; }

  /// True when --benchmark_filter lets the case `app/label` through: part of the name matches
  /// the (POSIX extended) regular expression, or no part does where that begins with '-'.
  [[nodiscard]] bool selects(std::string const& name) const;

  /// --benchmark_format: its report takes the place of our table on standard output.
  [[nodiscard]] bool prints() const { return prints_; }

  /// --benchmark_out: where its report is written as well; empty for nowhere.
  [[nodiscard]] std::string const& file() const { return file_; }

  /// --benchmark_out_format: json, console or csv.
  [[nodiscard]] std::string const& file_format() const { return file_format_; }

  /// The flags that Google Benchmark itself gets: the form of its reports.
  [[nodiscard]] std::vector<std::string> const& looks() const { return looks_; }

private:
  bool take_ours(std::string const& name, std::string const& value);

  bool lists_ = false, prints_ = false;
  std::string filter_, file_, file_format_ = "json";
  std::vector<std::string> looks_;
};

} // namespace strata::report
