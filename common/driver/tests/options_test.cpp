#include "base/error.hpp"
#include "driver/options.hpp"

#include <gtest/gtest.h>

namespace strata::driver {

namespace {

/// The message that refuses a command line.
std::string refusal(std::vector<std::string> const& arguments)
{
  try {
    parse_options(arguments);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::command_line);
    return error.what();
  }
  return "accepted";
}

TEST(Options, AreAllOptional)
{
  auto const options = parse_options({});
  EXPECT_EQ(options.deck, "");
  EXPECT_EQ(options.output_dir, "results");
  EXPECT_FALSE(options.list || options.check_deck || options.strict || options.quiet);
  EXPECT_TRUE(options.selects("stream/triad/span"));
}

TEST(Options, TakeTheirValuesWithSpaceOrEqualsSign)
{
  auto const options =
      parse_options({"--deck", "a.yaml", "--set", "problem.size=5", "--set=run.seed=3",
                     "--output-dir=out", "--strict", "--kokkos-threads=2"});
  EXPECT_EQ(options.deck, "a.yaml");
  EXPECT_EQ(options.set, (std::vector<std::string>{"problem.size=5", "run.seed=3"}));
  EXPECT_EQ(options.output_dir, "out");
  EXPECT_TRUE(options.strict);
  EXPECT_EQ(options.kokkos, std::vector<std::string>{"--kokkos-threads=2"});
}

TEST(Options, NameTheNearestFlag)
{
  EXPECT_EQ(refusal({"--dek", "a.yaml"}),
            "unknown option '--dek' (did you mean '--deck'?); see --help");
  EXPECT_EQ(refusal({"--output-dri=out"}),
            "unknown option '--output-dri' (did you mean '--output-dir'?); see --help");
  EXPECT_EQ(refusal({"--frobnicate"}), "unknown option '--frobnicate'; see --help");
}

TEST(Options, AskForMissingValues)
{
  EXPECT_EQ(refusal({"--deck"}), "--deck needs a value: --deck FILE; see --help");
  EXPECT_EQ(refusal({"--quiet", "--set"}),
            "--set needs a value: --set KEY.PATH=VALUE; see --help");
}

TEST(Options, RefuseValuesOfSwitches)
{
  EXPECT_EQ(refusal({"--list=yes"}), "--list takes no value; see --help");
}

TEST(Options, RecogniseABareDeck)
{
  EXPECT_EQ(refusal({"decks/smoke.yaml"}),
            "unexpected argument 'decks/smoke.yaml' (did you mean "
            "--deck decks/smoke.yaml?); see --help");
  EXPECT_EQ(refusal({"fast"}), "unexpected argument 'fast'; see --help");
  EXPECT_EQ(
      refusal({"--output-dir=b", "--output", "a.json"}),
      "--output names the file and --output-dir its folder; give one of them; see --help");
}

TEST(Options, RefuseWhatIsNoExpression)
{
  EXPECT_EQ(refusal({"--only", "tri("}).find("--only 'tri(' is not a regular expression ("),
            0U);
}

TEST(Options, SelectByExpression)
{
  auto const options = parse_options({"--only", "/triad/.*double$"});
  EXPECT_TRUE(options.selects("stream/triad/span/right/double"));
  EXPECT_FALSE(options.selects("stream/triad/span/right/float"));
  EXPECT_FALSE(options.selects("stream/copy/span/right/double"));
}

TEST(Options, AreAllInTheHelp)
{
  EXPECT_TRUE(parse_options({"--help"}).help);
  EXPECT_TRUE(parse_options({"-h"}).help);
  auto const text = help("stream", "Streaming kernels.");
  EXPECT_EQ(text.find("strata-stream: Streaming kernels.\n"), 0U);
  for (auto const* flag :
       {"--deck FILE", "--set KEY.PATH=VALUE", "--only REGEX", "--output FILE",
        "--output-dir DIR", "--list", "--check-deck", "--print-deck", "--print-schema",
        "--report-binding", "--strict", "--quiet", "--help", "--version", "--benchmark_",
        "--kokkos-", "Exit codes: 0 ok"})
    EXPECT_NE(text.find(flag), std::string::npos) << flag;
}

} // namespace

} // namespace strata::driver
