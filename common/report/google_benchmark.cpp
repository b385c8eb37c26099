#include "google_benchmark.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <benchmark/benchmark.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace strata::report {

namespace {

/// Reports nothing.
class Silent : public benchmark::BenchmarkReporter
{
public:
  bool ReportContext(Context const& /*context*/) override { return true; }
  void ReportRuns(std::vector<Run> const& /*runs*/) override {}
};

/// Passes reports on under the name of the case alone: Google Benchmark appends the number of
/// repetitions, which differs between runs, while its compare.py pairs runs by name. The CPU
/// time is set to the real time: we measure none, and that of the replay means nothing.
class Renamed : public benchmark::BenchmarkReporter
{
public:
  Renamed(benchmark::BenchmarkReporter& to, std::ostream& out)
      : to_(to)
  {
    to_.SetOutputStream(&out);
  }

  bool ReportContext(Context const& context) override { return to_.ReportContext(context); }

  void ReportRuns(std::vector<Run> const& runs) override
  {
    std::vector<Run> renamed = runs;
    for (auto& run : renamed) {
      run.run_name.iterations.clear();
      run.run_name.repetitions.clear();
      run.run_name.time_type.clear();
      run.cpu_accumulated_time = run.real_accumulated_time;
    }
    to_.ReportRuns(renamed);
  }

  void Finalize() override { to_.Finalize(); }

private:
  benchmark::BenchmarkReporter& to_;
};

std::unique_ptr<benchmark::BenchmarkReporter> file_reporter(std::string const& format)
{
  if (format == "json")
    return std::make_unique<benchmark::JSONReporter>();
  if (format == "console")
    return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_None);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // has been on its way out for years
  return std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
}

using Amounts = std::map<std::string, double>;

/// What one step of a measured case does, by the name of its rate.
Amounts amounts_of(Case const& one)
{
  Amounts amounts;
  double const median = measure::summarise(one.samples_s).median;
  for (auto const& fom : one.figures())
    if (fom.scope == Scope::job && fom.unit.ends_with("/s"))
      amounts[fom.metric] = fom.value * median;
  if (one.work.flops > 0)
    amounts["flops_per_second"] = static_cast<double>(one.work.flops);
  return amounts;
}

/// Replays one case: every repetition is its next sample. It has the counters of all cases, 0
/// where it does nothing of the kind: the CSV reporter aborts where cases have different ones.
class Replay
{
public:
  Replay(Case const& one, Amounts amounts)
      : one_(one)
      , amounts_(std::move(amounts))
  {
  }

  void operator()(benchmark::State& state)
  {
    double const sample = one_.samples_s.at(next_++);
    while (state.KeepRunning())
      state.SetIterationTime(sample);
    if (one_.work.bytes() > 0)
      state.SetBytesProcessed(one_.work.bytes());
    for (auto const& [name, amount] : amounts_)
      state.counters[name] = benchmark::Counter(amount, benchmark::Counter::kIsRate);
  }

private:
  Case const& one_;
  Amounts amounts_;
  std::size_t next_ = 0;
};

void add(std::string const& name, Case const& one, Amounts const& none)
{
  if (one.status == Status::failed) {
    benchmark::RegisterBenchmark(name.c_str(), [reason = one.why()](benchmark::State& state) {
      state.SkipWithError(reason.c_str());
    })->Iterations(1);
  } else if (!one.samples_s.empty()) {
    auto amounts = amounts_of(one);
    amounts.insert(none.begin(), none.end());
    benchmark::RegisterBenchmark(name.c_str(), Replay(one, std::move(amounts)))
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(static_cast<int>(one.samples_s.size()));
  }
}

void add_context(Record const& record)
{
  benchmark::AddCustomContext("strata_version", record.suite.version);
  benchmark::AddCustomContext("strata_git",
                              record.suite.git + (record.suite.dirty ? " (dirty)" : ""));
  benchmark::AddCustomContext("strata_build_type", record.build.type);
  benchmark::AddCustomContext("kokkos_version", record.build.kokkos);
  benchmark::AddCustomContext("kokkos_backends", text::join(record.build.backends));
  benchmark::AddCustomContext("mpi_ranks", std::to_string(record.mpi.ranks));
  benchmark::AddCustomContext("run_id", record.run.id);
}

/// A command line for Google Benchmark, which keeps pointers into it.
std::vector<std::string> command_line(std::string const& program,
                                      GoogleBenchmarkFlags const& flags)
{
  std::vector<std::string> words{program};
  words.insert(words.end(), flags.looks().begin(), flags.looks().end());
  if (!flags.file().empty()) // it takes no second reporter without; ours has its own stream
    words.emplace_back("--benchmark_out=/dev/null");
  return words;
}

void initialize(std::vector<std::string>& words)
{
  std::vector<char*> arguments;
  for (auto& word : words)
    arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
}

[[noreturn]] void fail(std::string const& file, std::string const& why)
{
  throw Error(Exit::results, "cannot write '" + file + "': " + why +
                                 "; choose another file with --benchmark_out");
}

} // namespace

void probe(GoogleBenchmarkFlags const& flags)
{
  if (!flags.file().empty() && !std::ofstream(flags.file(), std::ios::app))
    fail(flags.file(), std::generic_category().message(errno));
}

void run_registered(std::string const& program, GoogleBenchmarkFlags const& flags,
                    std::ostream& out)
{
  auto words = command_line(program, flags);
  initialize(words);
  Silent silent;
  Renamed display(flags.prints() ? *benchmark::CreateDefaultDisplayReporter() : silent, out);
  if (flags.file().empty()) {
    benchmark::RunSpecifiedBenchmarks(&display, "all");
  } else {
    std::ofstream stream(flags.file());
    auto const writer = file_reporter(flags.file_format());
    Renamed file(*writer, stream);
    benchmark::RunSpecifiedBenchmarks(&display, &file, "all");
    if (!stream.flush())
      fail(flags.file(), "it could not be written to its end");
  }
  benchmark::ClearRegisteredBenchmarks();
}

void replay(Record const& record, GoogleBenchmarkFlags const& flags, std::ostream& out)
{
  if (!flags.prints() && flags.file().empty())
    return;
  add_context(record);
  Amounts none;
  for (auto const& one : record.cases)
    if (!one.samples_s.empty())
      for (auto const& [name, amount] : amounts_of(one))
        none[name] = 0;
  for (auto const& one : record.cases)
    add(record.app + "/" + one.label, one, none);
  run_registered("strata-" + record.app, flags, out);
}

} // namespace strata::report
