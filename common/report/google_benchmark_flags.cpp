#include "google_benchmark_flags.hpp"

#include "base/error.hpp"
#include "base/pattern.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace strata::report {

namespace {

using Words = std::vector<std::string>;

bool has(Words const& words, std::string const& word)
{
  return std::find(words.begin(), words.end(), word) != words.end();
}

[[noreturn]] void refuse(std::string const& message)
{
  throw Error(Exit::command_line, message);
}

void check_choice(std::string const& name, std::string const& value, Words const& choices)
{
  if (!has(choices, value))
    refuse(name + " is '" + value + "'; choose from " + text::join(choices));
}

bool truth(std::string const& name, std::string const& value)
{
  if (has({"", "1", "t", "true", "y", "yes", "on"}, value))
    return true;
  check_choice(name, value, {"0", "f", "false", "n", "no", "off"});
  return false;
}

void check_report(std::string const& name, std::string const& value)
{
  check_choice(name, value, {"console", "json", "csv"});
}

Pattern compiled(std::string const& expression)
{
  try {
    return Pattern(expression, Pattern::Grammar::posix_extended);
  } catch (std::invalid_argument const& error) {
    refuse(std::string("--benchmark_filter: ") + error.what());
  }
}

[[noreturn]] void refuse_unknown(std::string const& name, Words known)
{
  known.insert(known.end(),
               {"--benchmark_list_tests", "--benchmark_filter", "--benchmark_format",
                "--benchmark_out", "--benchmark_out_format"});
  auto const meant = text::nearest(name, known);
  refuse("unknown option '" + name + "'" + (meant ? " (did you mean '" + *meant + "'?)" : ""));
}

} // namespace

GoogleBenchmarkFlags::GoogleBenchmarkFlags(Words& arguments, std::string const& plan)
{
  static Words const looks{"--benchmark_report_aggregates_only",
                           "--benchmark_display_aggregates_only",
                           "--benchmark_counters_tabular",
                           "--benchmark_color",
                           "--benchmark_time_unit",
                           "--benchmark_context"};
  static Words const refused{
      "--benchmark_min_time",      "--benchmark_min_warmup_time",
      "--benchmark_repetitions",   "--benchmark_enable_random_interleaving",
      "--benchmark_perf_counters", "--benchmark_dry_run"};

  std::erase_if(arguments, [&](std::string const& argument) {
    if (!argument.starts_with("--benchmark_"))
      return false;
    auto const equals = argument.find('=');
    auto const name = argument.substr(0, equals);
    auto const value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (has(refused, name))
      refuse(name + " is not taken: " + plan);
    if (name == "--benchmark_time_unit")
      check_choice(name, value, {"ns", "us", "ms", "s"});
    if (has(looks, name))
      looks_.push_back(argument);
    else if (!take_ours(name, value))
      refuse_unknown(name, looks);
    return true;
  });
}

bool GoogleBenchmarkFlags::take_ours(std::string const& name, std::string const& value)
{
  if (name == "--benchmark_list_tests") {
    lists_ = truth(name, value);
  } else if (name == "--benchmark_filter") {
    compiled(value.starts_with('-') ? value.substr(1) : value);
    filter_ = value == "all" ? "" : value;
  } else if (name == "--benchmark_format") {
    check_report(name, value);
    prints_ = true;
    looks_.push_back(name + "=" + value);
  } else if (name == "--benchmark_out") {
    if (value.empty())
      refuse(name + " needs a file: " + name + "=FILE");
    file_ = value;
  } else if (name == "--benchmark_out_format") {
    check_report(name, value);
    file_format_ = value;
  } else {
    return false;
  }
  return true;
}

bool GoogleBenchmarkFlags::selects(std::string const& name) const
{
  if (filter_.empty())
    return true;
  bool const negated = filter_.front() == '-';
  return compiled(filter_.substr(negated ? 1 : 0)).matches_in(name) != negated;
}

} // namespace strata::report
