#include "example.hpp"

#include "base/error.hpp"
#include "report/google_benchmark.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace strata::report {
namespace {

/// Google Benchmark takes its context once per process, so one replay serves all tests.
class GoogleBenchmark : public testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    file_ = std::filesystem::temp_directory_path() /
            ("strata-benchmark-" + std::to_string(::getpid()) + ".json");
    std::vector<std::string> arguments{"--benchmark_format=csv",
                                       "--benchmark_out=" + file_.string()};
    std::ostringstream out;
    testing::internal::CaptureStderr(); // where csv has the context
    replay(example::eventful_record(), GoogleBenchmarkFlags(arguments), out);
    testing::internal::GetCapturedStderr();
    printed_ = out.str();
    std::ifstream stream(file_);
    written_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  static void TearDownTestSuite() { std::filesystem::remove(file_); }

  /// The members of one entry, by name and as written, without quotes; Google Benchmark puts
  /// each on a line of its own.
  using Entry = std::map<std::string, std::string>;

  static std::vector<Entry> entries()
  {
    std::istringstream lines(written_);
    std::vector<Entry> all;
    for (std::string text; std::getline(lines, text);) {
      auto const name = text.find('"') + 1;
      auto const colon = text.find("\": ", name);
      if (text.ends_with("{"))
        all.emplace_back();
      else if (colon != std::string::npos && !all.empty()) {
        auto value = text.substr(colon + 3);
        if (value.ends_with(','))
          value.pop_back();
        if (value.starts_with('"'))
          value = value.substr(1, value.size() - 2);
        all.back()[text.substr(name, colon - name)] = value;
      }
    }
    return all;
  }

  /// The entries about one sample, or errors, by case.
  static std::map<std::string, std::vector<Entry>> samples()
  {
    std::map<std::string, std::vector<Entry>> of_case;
    for (auto const& entry : entries())
      if (entry.contains("run_type") && entry.at("run_type") == "iteration")
        of_case[entry.at("name")].push_back(entry);
    return of_case;
  }

  inline static std::filesystem::path file_;
  inline static std::string printed_;
  inline static std::string written_;
};

TEST_F(GoogleBenchmark, IsGivenEverySampleAsARepetition)
{
  auto const copy = samples()["stream/copy/span/left/double"];
  auto const expected = example::eventful_record().cases[0].samples_s;
  ASSERT_EQ(copy.size(), expected.size());
  for (std::size_t i = 0; i < copy.size(); ++i) {
    auto const number = [&](char const* name) { return std::stod(copy[i].at(name)); };
    EXPECT_DOUBLE_EQ(number("real_time"), 1e9 * expected[i]);
    EXPECT_EQ(number("cpu_time"), number("real_time"));
    EXPECT_EQ(copy[i].at("time_unit"), "ns");
    EXPECT_EQ(copy[i].at("repetition_index"), std::to_string(i));
    EXPECT_DOUBLE_EQ(number("bytes_per_second"), 12e9 / expected[i]);
    EXPECT_DOUBLE_EQ(number("bandwidth"), 12e9 / expected[i]);
    EXPECT_EQ(number("flops_per_second"), 0) << "it has the counters of the others";
  }
}

TEST_F(GoogleBenchmark, NamesCasesWithoutTheNumberOfSamples)
{
  std::vector<std::string> names;
  for (auto const& [name, entries] : samples())
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "stream/copy/span/left/double", "stream/dot/span/left/double",
                       "stream/triad/native/left/double", "stream/triad/span/left/double",
                       "stream/triad/view/left/double"}))
      << "the unavailable case is left out";
}

TEST_F(GoogleBenchmark, ReportsAFailedCaseAsAnError)
{
  auto const dot = samples()["stream/dot/span/left/double"];
  ASSERT_EQ(dot.size(), 1U);
  EXPECT_EQ(dot[0].at("error_occurred"), "true");
  EXPECT_EQ(dot[0].at("error_message"),
            "max_relative_error is 0.0012, at most 1e-13 is allowed");
}

TEST_F(GoogleBenchmark, AddsItsOwnAggregates)
{
  std::map<std::string, double> times;
  for (auto const& entry : entries())
    if (entry.contains("aggregate_name"))
      times[entry.at("name")] = std::stod(entry.at("real_time"));
  EXPECT_DOUBLE_EQ(times["stream/copy/span/left/double_median"], 3.125e6);
}

TEST_F(GoogleBenchmark, IsToldTheContext)
{
  auto context = entries().at(1); // the first brace is the file's
  EXPECT_EQ(context["executable"], "strata-stream");
  // The caches, in braces of their own, come between.
  for (auto const* fact :
       {"\"mpi_ranks\": \"4\"", "\"kokkos_version\": \"4.6.99\"",
        "\"kokkos_backends\": \"Cuda, OpenMP\"",
        "\"strata_git\": \"0123456789abcdef0123456789abcdef01234567 (dirty)\""})
    EXPECT_NE(written_.find(fact), std::string::npos) << fact;
}

TEST_F(GoogleBenchmark, PrintsTheFormatThatWasAskedFor)
{
  EXPECT_TRUE(printed_.starts_with("name,iterations,real_time,cpu_time,time_unit,"))
      << printed_.substr(0, 200);
  EXPECT_NE(printed_.find("\n\"stream/triad/span/left/double\",1,"), std::string::npos);
}

TEST_F(GoogleBenchmark, SaysWhenItsFileCannotBeWritten)
{
  auto const message = [](std::string const& file, auto action) -> std::string {
    std::vector<std::string> arguments{"--benchmark_out=" + file};
    try {
      action(GoogleBenchmarkFlags(arguments));
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::results);
      return error.what();
    }
    return "nothing was refused";
  };
  EXPECT_EQ(message("/dev/null/x.json", [](auto const& flags) { probe(flags); }),
            "cannot write '/dev/null/x.json': Not a directory; choose another file with "
            "--benchmark_out");
  testing::internal::CaptureStderr(); // it complains of the context that it has already
  EXPECT_EQ(message("/dev/full",
                    [](auto const& flags) {
                      std::ostringstream out;
                      replay(example::record(), flags, out);
                    }),
            "cannot write '/dev/full': it could not be written to its end; choose another file "
            "with --benchmark_out");
  testing::internal::GetCapturedStderr();
}

} // namespace
} // namespace strata::report
