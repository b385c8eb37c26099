#include "base/error.hpp"
#include "report/google_benchmark_flags.hpp"

#include <gtest/gtest.h>

namespace strata::report {
namespace {

using Words = std::vector<std::string>;

GoogleBenchmarkFlags flags(Words arguments)
{
  return GoogleBenchmarkFlags(arguments);
}

/// The message of the Error(Exit::command_line) that these arguments get.
std::string refusal(std::string const& argument)
{
  try {
    flags({argument});
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::command_line);
    return error.what();
  }
  return "nothing was refused";
}

TEST(GoogleBenchmarkFlags, AreTakenOutOfTheArguments)
{
  Words arguments{"--benchmark_filter=triad", "--deck", "x.yaml",
                  "--benchmark_list_tests",   "--set",  "a=b"};
  GoogleBenchmarkFlags const taken(arguments);
  EXPECT_EQ(arguments, (Words{"--deck", "x.yaml", "--set", "a=b"}));
  EXPECT_TRUE(taken.lists());
  EXPECT_FALSE(taken.selects("stream/copy/span"));
}

TEST(GoogleBenchmarkFlags, AskForNothingByThemselves)
{
  auto const none = flags({});
  EXPECT_FALSE(none.lists());
  EXPECT_FALSE(none.prints());
  EXPECT_EQ(none.file(), "");
  EXPECT_TRUE(none.selects("stream/copy/span"));
}

TEST(GoogleBenchmarkFlags, ListAsGoogleBenchmarkReadsTruth)
{
  EXPECT_TRUE(flags({"--benchmark_list_tests=true"}).lists());
  EXPECT_TRUE(flags({"--benchmark_list_tests=1"}).lists());
  EXPECT_FALSE(flags({"--benchmark_list_tests=false"}).lists());
}

TEST(GoogleBenchmarkFlags, FilterAsGoogleBenchmarkDoes)
{
  auto const some = flags({"--benchmark_filter=/(triad|copy)/span/.*double$"});
  EXPECT_TRUE(some.selects("stream/triad/span/left/double"));
  EXPECT_FALSE(some.selects("stream/triad/span/left/float"));
  EXPECT_FALSE(some.selects("stream/dot/span/left/double"));
  auto const others = flags({"--benchmark_filter=-triad"});
  EXPECT_FALSE(others.selects("stream/triad/span/left/double"));
  EXPECT_TRUE(others.selects("stream/copy/span/left/double"));
  EXPECT_TRUE(flags({"--benchmark_filter=all"}).selects("stream/dot/span/left/double"));
}

TEST(GoogleBenchmarkFlags, KeepWhatReportsLookLike)
{
  auto const taken = flags({"--benchmark_format=json", "--benchmark_out=x.csv",
                            "--benchmark_out_format=csv", "--benchmark_time_unit=ms"});
  EXPECT_TRUE(taken.prints());
  EXPECT_EQ(taken.file(), "x.csv");
  EXPECT_EQ(taken.file_format(), "csv");
  EXPECT_EQ(taken.looks(), (Words{"--benchmark_format=json", "--benchmark_time_unit=ms"}));
}

TEST(GoogleBenchmarkFlags, RefuseToDecideWhatTheDeckDecides)
{
  EXPECT_EQ(
      refusal("--benchmark_repetitions=5"),
      "--benchmark_repetitions is not taken: the deck says what is measured, for how long "
      "and in which order (run.rounds, run.min_time_s, run.warmup_s, run.seed)");
  EXPECT_TRUE(
      refusal("--benchmark_min_time=1").starts_with("--benchmark_min_time is not taken"));
  EXPECT_TRUE(refusal("--benchmark_enable_random_interleaving=true")
                  .starts_with("--benchmark_enable_random_interleaving is not taken"));
}

TEST(GoogleBenchmarkFlags, NameTheMistake)
{
  EXPECT_EQ(refusal("--benchmark_fliter=x"),
            "unknown option '--benchmark_fliter' (did you mean '--benchmark_filter'?)");
  EXPECT_EQ(refusal("--benchmark_format=xml"),
            "--benchmark_format is 'xml'; choose from console, json, csv");
  EXPECT_EQ(refusal("--benchmark_out_format=yaml"),
            "--benchmark_out_format is 'yaml'; choose from console, json, csv");
  EXPECT_EQ(refusal("--benchmark_time_unit=h"),
            "--benchmark_time_unit is 'h'; choose from ns, us, ms, s");
  EXPECT_EQ(refusal("--benchmark_out="), "--benchmark_out needs a file: --benchmark_out=FILE");
  EXPECT_EQ(refusal("--benchmark_list_tests=maybe"),
            "--benchmark_list_tests is 'maybe'; choose from 0, f, false, n, no, off");
  EXPECT_TRUE(refusal("--benchmark_filter=(triad")
                  .starts_with("--benchmark_filter: '(triad' is not a regular expression ("));
}

} // namespace
} // namespace strata::report
