// strata-arraybench: what the core's indexing costs, as S2 measured it (Figs 3, 4, 5, 7, 8).
// Each kernel's text is written once and sees its arrays by raw pointers that are indexed by
// hand, by spans, by Kokkos::View and by an mdspan where there is one; each with sizes that are
// known at run time, and known to the compiler. Cubes are seen by S5's views, too, whose rank
// is known at run time and whose indices begin at 0 or 1.
//   strata-arraybench --benchmark_filter=Sum3D/.*/serial --rounds=51 --benchmark_out=sum.json

#include "rounds.hpp"
#include "ways.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/google_benchmark.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <string_view>
#include <type_traits>

namespace strata::bench {

namespace {

constexpr char const* usage =
    "strata-arraybench [--rounds=N] [--sample-ms=MS] [--seed=N] [--benchmark_filter=REGEX]\n"
    "                  [--benchmark_list_tests] [--benchmark_out=FILE.json] ...\n"
    "  --rounds     samples of each case, taken round by round (31; intervals need 6)\n"
    "  --sample-ms  about how long a sample lasts (2)\n"
    "  --seed       of the order in which a round visits the cases (1)\n"
    "  --spoil=CASE changes the input of one case before it is checked: it must be found "
    "wrong\n"
    "The other options are Google Benchmark's.\n";

template <class T>
std::optional<T> read(std::string_view text)
{
  if constexpr (std::is_floating_point_v<T>) {
    return text::real(text);
  } else {
    T value{};
    char const* const begin = text.data();
    char const* const end = begin + text.size();
    auto const [stop, fault] = std::from_chars(begin, end, value);
    return fault == std::errc() && stop == end ? std::optional(value) : std::nullopt;
  }
}

template <class T>
T number(std::string const& argument, T least)
{
  auto const text = argument.substr(argument.find('=') + 1);
  auto const value = read<T>(text);
  if (!value || !(*value >= least))
    throw Error(Exit::command_line, argument + ": give a number from " + std::to_string(least));
  return *value;
}

Plan plan_of(std::vector<std::string> const& arguments)
{
  Plan plan;
  for (auto const& argument : arguments) {
    if (argument.starts_with("--rounds="))
      plan.rounds = number(argument, 1);
    else if (argument.starts_with("--sample-ms="))
      plan.sample_s = number(argument, 0.0) / 1e3;
    else if (argument.starts_with("--seed="))
      plan.seed = number<std::uint64_t>(argument, 0);
    else if (argument.starts_with("--spoil="))
      plan.spoiled = argument.substr(argument.find('=') + 1);
    else
      throw Error(Exit::command_line, "unknown option '" + argument + "'\n" + usage);
  }
  return plan;
}

Cases selected(report::GoogleBenchmarkFlags const& flags)
{
  Cases all;
  for (auto* add : {add_sums, add_sums_of_ten, add_stencils, add_matrices, add_subspans,
                    add_copies, add_ragged})
    add(all);
  std::erase_if(all, [&](Case const& one) { return !flags.selects(one.name()); });
  if (all.empty())
    throw Error(Exit::command_line,
                "--benchmark_filter selects no case; --benchmark_list_tests lists them");
  return all;
}

std::string compiler()
{
#if defined(__CUDACC_VER_MAJOR__)
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
         std::to_string(__CUDACC_VER_MINOR__) + " with " __VERSION__;
#elif defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "unknown";
#endif
}

std::string devices()
{
  std::vector<std::string> names;
  each_device([&]<class D>(D) { names.emplace_back(D::name); });
  return text::join(names);
}

void print_context()
{
  std::cout << compiler() << ", Kokkos " << kokkos_version() << ", devices: " << devices()
            << " (" << Device().concurrency() << " work items at once)\n";
#if !defined(STRATA_BENCH_MDSPAN)
  std::cout << "mdspan is left out: neither the compiler nor this Kokkos brings one\n";
#endif
  if (!gpu_reads_mdspan)
    std::cout << "mdspan is left out on the GPU: nvcc passes it to kernels wrongly\n";
  if (host_is_serial)
    std::cout << "threads are left out: this Kokkos has none on the host\n";
  if (device_is_host)
    std::cout << "the GPU is left out: this Kokkos has none\n";
}

/// One sample of a case at a time, as Google Benchmark asks for its repetitions.
struct Replay
{
  Timed const& timed;
  std::size_t next = 0;

  void operator()(benchmark::State& state)
  {
    double const sample = timed.seconds.at(next++);
    while (state.KeepRunning())
      state.SetIterationTime(sample);
    state.SetItemsProcessed(timed.what.items);
  }
};

void report_to_google_benchmark(std::vector<Timed> const& timed,
                                report::GoogleBenchmarkFlags const& flags)
{
  if (!flags.prints() && flags.file().empty())
    return;
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("kokkos_version", kokkos_version());
  benchmark::AddCustomContext("devices", devices());
  benchmark::AddCustomContext("device", Device::name());
  benchmark::AddCustomContext("concurrency", std::to_string(Device().concurrency()));
  for (auto const& one : timed)
    benchmark::RegisterBenchmark(one.what.name().c_str(), Replay{one})
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(static_cast<int>(one.seconds.size()));
  report::run_registered("strata-arraybench", flags, std::cout);
}

void run(std::vector<std::string> arguments)
{
  report::GoogleBenchmarkFlags const flags(
      arguments, "--rounds, --sample-ms and --seed say how long and in which order cases run");
  auto const plan = plan_of(arguments);
  auto const cases = selected(flags);
  if (flags.lists()) {
    for (auto const& one : cases)
      std::cout << one.name() << "\n";
    return;
  }
  if (!plan.spoiled.empty() && std::none_of(cases.begin(), cases.end(), [&](Case const& one) {
        return one.name() == plan.spoiled;
      }))
    throw Error(Exit::command_line, "--spoil=" + plan.spoiled + " names no selected case");
  report::probe(flags);
  if (!flags.prints())
    print_context();
  auto const timed = measured(cases, plan);
  if (!flags.prints())
    std::cout << "\n" << overheads(timed);
  report_to_google_benchmark(timed, flags);
}

} // namespace

} // namespace strata::bench

int main(int argc, char** argv)
{
  if (std::any_of(argv + 1, argv + argc,
                  [](std::string_view word) { return word == "--help"; })) {
    std::cout << strata::bench::usage;
    return 0;
  }
  strata::kokkos_initialize(argc, argv, -1, -1);
  int code = 0;
  try {
    strata::bench::run({argv + 1, argv + argc});
  } catch (std::exception const& error) {
    strata::Failure const failure(error);
    std::cerr << "strata-arraybench: " << failure.text << "\n";
    code = static_cast<int>(failure.exit);
  }
  Kokkos::finalize();
  return code;
}
