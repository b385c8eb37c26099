#pragma once

#include "base/pattern.hpp"
#include "measure/turns.hpp"
#include "report/google_benchmark_flags.hpp"

#include <optional>
#include <string>
#include <vector>

namespace strata::driver {

/// The options of a command line.
struct Options
{
  std::string deck;             ///< file; empty for the built-in deck
  std::vector<std::string> set; ///< "key.path=value"
  std::optional<Pattern> only;  ///< of `app/label`
  std::string only_text;
  std::string output; ///< file; empty for a name of its own
  std::string output_dir = "results";
  std::optional<measure::Meeting> in_turn; ///< with another run; see strata race
  bool list = false;
  bool check_deck = false;
  bool print_deck = false;
  bool print_schema = false;
  bool print_keys = false;
  bool report_binding = false;
  bool strict = false;
  bool quiet = false;
  bool lines = false;
  bool help = false;
  bool version = false;
  report::GoogleBenchmarkFlags benchmark;
  std::vector<std::string> kokkos; ///< "--kokkos-...", for Kokkos

  [[nodiscard]] bool selects(std::string const& name) const
  {
    return (!only || only->matches_in(name)) && benchmark.selects(name);
  }
};

/// Reads the arguments after the program's name. Throws Error{Exit::command_line} that names
/// the wrong argument and the most similar valid one.
Options parse_options(std::vector<std::string> arguments);

/// The text of --help: usage, flags, exit codes.
std::string help(std::string const& app, std::string const& about);

} // namespace strata::driver
