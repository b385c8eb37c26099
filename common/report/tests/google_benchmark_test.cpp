#include "example.hpp"

#include "base/error.hpp"
#include "report/google_benchmark.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
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
    written_ = YAML::LoadFile(file_.string());
  }

  static void TearDownTestSuite() { std::filesystem::remove(file_); }

  /// The entries of the file that are about one sample, or are errors, by case.
  static std::map<std::string, std::vector<YAML::Node>> samples()
  {
    std::map<std::string, std::vector<YAML::Node>> of_case;
    for (auto const& entry : written_["benchmarks"])
      if (entry["run_type"].as<std::string>() == "iteration")
        of_case[entry["name"].as<std::string>()].push_back(entry);
    return of_case;
  }

  inline static std::filesystem::path file_;
  inline static std::string printed_;
  inline static YAML::Node written_;
};

TEST_F(GoogleBenchmark, IsGivenEverySampleAsARepetition)
{
  auto const copy = samples()["stream/copy/span/left/double"];
  auto const expected = example::eventful_record().cases[0].samples_s;
  ASSERT_EQ(copy.size(), expected.size());
  for (std::size_t i = 0; i < copy.size(); ++i) {
    EXPECT_DOUBLE_EQ(copy[i]["real_time"].as<double>(), 1e9 * expected[i]);
    EXPECT_EQ(copy[i]["cpu_time"].as<double>(), copy[i]["real_time"].as<double>());
    EXPECT_EQ(copy[i]["time_unit"].as<std::string>(), "ns");
    EXPECT_EQ(copy[i]["repetition_index"].as<std::size_t>(), i);
    EXPECT_DOUBLE_EQ(copy[i]["bytes_per_second"].as<double>(), 12e9 / expected[i]);
    EXPECT_DOUBLE_EQ(copy[i]["bandwidth"].as<double>(), 12e9 / expected[i]);
    EXPECT_DOUBLE_EQ(copy[i]["flops_per_second"].as<double>(), 1e9 / expected[i]);
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
  EXPECT_TRUE(dot[0]["error_occurred"].as<bool>());
  EXPECT_EQ(dot[0]["error_message"].as<std::string>(),
            "max_relative_error is 0.0012, at most 1e-13 is allowed");
}

TEST_F(GoogleBenchmark, AddsItsOwnAggregates)
{
  std::map<std::string, double> times;
  for (auto const& entry : written_["benchmarks"])
    if (entry["run_name"].as<std::string>() == "stream/copy/span/left/double" &&
        entry["run_type"].as<std::string>() == "aggregate")
      times[entry["name"].as<std::string>()] = entry["real_time"].as<double>();
  EXPECT_DOUBLE_EQ(times["stream/copy/span/left/double_median"], 3.125e6);
}

TEST_F(GoogleBenchmark, IsToldTheContext)
{
  auto const context = written_["context"];
  EXPECT_EQ(context["mpi_ranks"].as<std::string>(), "4");
  EXPECT_EQ(context["kokkos_version"].as<std::string>(), "4.6.99");
  EXPECT_EQ(context["kokkos_backends"].as<std::string>(), "Cuda, OpenMP");
  EXPECT_EQ(context["strata_git"].as<std::string>(),
            "0123456789abcdef0123456789abcdef01234567 (dirty)");
  EXPECT_EQ(context["executable"].as<std::string>(), "strata-stream");
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
