#include "options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace strata::driver {

namespace {

[[noreturn]] void refuse(std::string const& message)
{
  throw Error(Exit::command_line, message + "; see --help");
}

measure::Meeting meeting(std::string const& text)
{
  try {
    return measure::Meeting::parse(text);
  } catch (std::invalid_argument const& error) {
    refuse(std::string("--in-turn ") + error.what());
  }
}

/// One flag: its name, the name of its value (empty for a switch) and its line of help.
struct Flag
{
  char const* name;
  char const* value;
  char const* help;
  void (*apply)(Options&, std::string const&);
};

std::array const flags{
    Flag{"--deck", "FILE", "the deck to run; without it the built-in one",
         [](Options& o, std::string const& v) { o.deck = v; }},
    Flag{"--set", "KEY.PATH=VALUE", "override one value of the deck (repeatable)",
         [](Options& o, std::string const& v) { o.set.push_back(v); }},
    Flag{"--only", "REGEX", "only the cases whose app/kernel/variant/... it matches",
         [](Options& o, std::string const& v) { o.only_text = v; }},
    Flag{"--output", "FILE", "write the record to exactly this file",
         [](Options& o, std::string const& v) { o.output = v; }},
    Flag{"--output-dir", "DIR", "write it below this folder (results)",
         [](Options& o, std::string const& v) { o.output_dir = v; }},
    Flag{"--in-turn", "SIDE:SOCKET", "take samples in turn with another run (strata race)",
         [](Options& o, std::string const& v) { o.in_turn = meeting(v); }},
    Flag{"--list", "", "print the cases of the deck and stop",
         [](Options& o, std::string const&) { o.list = true; }},
    Flag{"--check-deck", "", "read the deck, report every problem and stop",
         [](Options& o, std::string const&) { o.check_deck = true; }},
    Flag{"--print-deck", "", "print the deck in force, commented, and stop",
         [](Options& o, std::string const&) { o.print_deck = true; }},
    Flag{"--print-schema", "", "print the JSON Schema of decks and stop",
         [](Options& o, std::string const&) { o.print_schema = true; }},
    Flag{"--print-keys", "", "print the table of deck keys in Markdown and stop",
         [](Options& o, std::string const&) { o.print_keys = true; }},
    Flag{"--report-binding", "", "print which rank runs where and stop",
         [](Options& o, std::string const&) { o.report_binding = true; }},
    Flag{"--strict", "", "exit 7 when the run is not official",
         [](Options& o, std::string const&) { o.strict = true; }},
    Flag{"--lines", "", "FOM and CHECK lines at a terminal too; elsewhere they are there",
         [](Options& o, std::string const&) { o.lines = true; }},
    Flag{"--quiet", "", "only the FOM, CHECK and RESULT lines",
         [](Options& o, std::string const&) { o.quiet = true; }},
    Flag{"--help", "", "print this and stop",
         [](Options& o, std::string const&) { o.help = true; }},
    Flag{"--version", "", "print the version and stop",
         [](Options& o, std::string const&) { o.version = true; }},
};

Flag const* find(std::string const& name)
{
  auto const* const found = std::find_if(flags.begin(), flags.end(),
                                         [&](Flag const& flag) { return name == flag.name; });
  if (found != flags.end())
    return found;
  std::vector<std::string> names;
  for (auto const& flag : flags)
    names.emplace_back(flag.name);
  auto const near = text::nearest(name, names);
  refuse("unknown option '" + name + "'" + (near ? " (did you mean '" + *near + "'?)" : ""));
}

std::vector<std::string> take_kokkos_flags(std::vector<std::string>& arguments)
{
  std::vector<std::string> taken;
  auto const is_kokkos = [](std::string const& a) { return a.rfind("--kokkos-", 0) == 0; };
  std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(taken), is_kokkos);
  std::erase_if(arguments, is_kokkos);
  return taken;
}

Pattern compile(std::string const& expression)
{
  try {
    return Pattern(expression);
  } catch (std::invalid_argument const& error) {
    refuse(std::string("--only ") + error.what());
  }
}

} // namespace

Options parse_options(std::vector<std::string> arguments)
{
  Options options;
  options.kokkos = take_kokkos_flags(arguments);
  options.benchmark = report::GoogleBenchmarkFlags(arguments);
  std::set<std::string> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto const argument = arguments[i] == "-h" ? std::string("--help") : arguments[i];
    if (argument.rfind("--", 0) != 0)
      refuse("unexpected argument '" + argument + "'" +
             (argument.ends_with(".yaml") ? " (did you mean --deck " + argument + "?)" : ""));
    auto const equals = argument.find('=');
    Flag const& flag = *find(argument.substr(0, equals));
    bool const takes_value = *flag.value != '\0';
    std::string value;
    if (equals != std::string::npos) {
      if (!takes_value)
        refuse(std::string(flag.name) + " takes no value");
      value = argument.substr(equals + 1);
    } else if (takes_value) {
      if (++i == arguments.size())
        refuse(std::string(flag.name) + " needs a value: " + flag.name + " " + flag.value);
      value = arguments[i];
    }
    if (takes_value && value.empty())
      refuse(std::string(flag.name) + " is given nothing; is a variable unset? " + flag.name +
             " " + flag.value);
    flag.apply(options, value);
    given.insert(flag.name);
  }
  if (given.contains("--output") && given.contains("--output-dir"))
    refuse("--output names the file and --output-dir its folder; give one of them");
  if (!options.only_text.empty())
    options.only = compile(options.only_text);
  return options;
}

std::string help(std::string const& app, std::string const& about)
{
  std::string text = "strata-" + app + ": " + about + "\n\nUsage: [mpirun -n RANKS] strata-" +
                     app + " [OPTION]...   (one rank per device)\n\n";
  for (auto const& flag : flags) {
    std::string name = std::string("  ") + flag.name + (*flag.value ? " " : "") + flag.value;
    name.resize(std::max<std::size_t>(name.size() + 2, 26), ' ');
    text += name + flag.help + "\n";
  }
  text +=
      "  --benchmark_...         Google Benchmark's flags for listing, filtering and output\n"
      "  --kokkos-...            Kokkos' own flags\n\n"
      "Exit codes: 0 ok, 1 internal, 2 command line, 3 deck, 4 placement, 5 does not fit the\n"
      "memory, 6 validation failed, 7 a run rule broken under --strict, 8 results not\n"
      "writable, 9 interrupted, 77 skipped.\n";
  return text;
}

} // namespace strata::driver
