// How fast arrays in device memory go from rank to rank by each path: `peer` against `staged`,
// and the driver's copy alone as the limit of the link.

#include "base/error.hpp"
#include "measure/statistics.hpp"
#include "measure/stopwatch.hpp"
#include "runtime/mpi/device_bytes.hpp"
#include "runtime/mpi/exchange.hpp"
#include "runtime/mpi/probe.hpp"
#include "runtime/session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace strata::runtime {

namespace {

constexpr char const* help =
    "strata-exchangebench: all ranks send an array to the next and get one from the one "
    "before,\n"
    "and sum one.\n"
    "\n"
    "  mpirun -n 2 strata-exchangebench [LARGEST_BYTES]\n"
    "\n"
    "Printed for 8 B and 1 kB to 256 MB, or LARGEST_BYTES: the median time of a step of\n"
    "the slowest rank with its 95 % interval, and the bytes that a rank gets in a second.\n"
    "`copy` is the driver's copy of the neighbour's array without any word between the\n"
    "ranks. `peer` and `copy` need GPUs that see each other's memory.\n";

constexpr int rounds = 21;
constexpr double sample_s = 5e-3;

using Numbers = Kokkos::View<double*, DeviceSpace>;

struct Fill
{
  double* numbers;
  double first;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    numbers[i] = first + static_cast<double>(i % 1021);
  }
};

void fill(Numbers const& numbers, double first)
{
  using Policy = Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>;
  Kokkos::parallel_for(Policy(0, static_cast<index_t>(numbers.extent(0))),
                       Fill{numbers.data(), first});
  Kokkos::fence();
}

/// One path of one operation, and its samples.
struct Way
{
  std::string operation;
  std::string path;
  std::function<void()> step;
  int inner = 1;
  std::vector<double> seconds;
};

class Bench
{
public:
  Bench(Communicator const& world, bool peers)
      : world_(world)
      , peers_(peers)
  {
  }

  void measure(index_t count)
  {
    auto const size = static_cast<std::size_t>(count);
    auto const bytes = count * static_cast<index_t>(sizeof(double));
    Numbers const mine("strata::exchangebench::mine", size);
    Numbers const theirs("strata::exchangebench::theirs", size);
    int const right = (world_.rank() + 1) % world_.ranks();
    int const left = (world_.rank() + world_.ranks() - 1) % world_.ranks();
    std::array const sends{Message{right, mine.data(), bytes}};
    std::array const receives{Message{left, theirs.data(), bytes}};

    Exchange staged(world_, {"staged", "staged", ""});
    std::vector<Way> ways;
    ways.push_back({"exchange", "staged", [&] { staged.exchange(sends, receives); }, 1, {}});
    ways.push_back(
        {"sum", "staged", [&] { staged.allreduce_sum(theirs.data(), count); }, 1, {}});
    PeerExchange peer(world_);
    PeerMemory memory;
    if (peers_) {
      ways.push_back({"exchange", "peer", [&] { peer.exchange(sends, receives); }, 1, {}});
      ways.push_back({"sum", "peer", [&] { peer.allreduce_sum(theirs.data(), count); }, 1, {}});
      auto const tickets = world_.all_gather(std::vector{memory.ticket(mine.data())});
      void const* const seen = memory.open(left, tickets.from(left).front());
      ways.push_back({"exchange",
                      "copy",
                      [seen, &theirs, bytes] { copy_on_device(theirs.data(), seen, bytes); },
                      1,
                      {}});
    }
    for (auto& way : ways) {
      check(way, mine, theirs, left);
      calibrate(way);
    }
    for (int round = 0; round < rounds; ++round)
      for (auto& way : ways)
        way.seconds.push_back(measure::take(world_, way.inner, way.step).max_s);
    if (world_.rank() == 0)
      for (auto const& way : ways)
        print(way, bytes);
  }

private:
  /// A step must have done what it is timed for.
  void check(Way const& way, Numbers const& mine, Numbers const& theirs, int left)
  {
    bool const sum = way.operation == "sum";
    fill(mine, 1.0 + world_.rank());
    fill(theirs, sum ? 1.0 + world_.rank() : -1);
    world_.barrier();
    way.step();
    Kokkos::fence();
    auto const host = Kokkos::create_mirror_view_and_copy(HostSpace(), theirs);
    double const ranks = world_.ranks();
    bool right = true;
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      auto const place = static_cast<double>(i % 1021);
      right = right &&
              host(i) == (sum ? ranks * place + 0.5 * ranks * (ranks + 1) : 1.0 + left + place);
    }
    if (!world_.all(right))
      throw AgreedError(Exit::verification,
                        way.operation + " by " + way.path + " gives wrong numbers");
  }

  void calibrate(Way& way)
  {
    double seconds = 0;
    for (int again = 0; again < 3; ++again)
      seconds = measure::take(world_, 1, way.step).max_s;
    way.inner = static_cast<int>(std::clamp(std::ceil(sample_s / seconds), 1.0, 1000.0));
  }

  static void print(Way const& way, index_t bytes)
  {
    auto const time = measure::summarise(way.seconds);
    auto const interval = time.ci95.value_or(measure::Interval{time.median, time.median});
    std::printf("%-8s %-6s %11lld B %11.2f us [%.2f, %.2f] %8.2f GB/s\n", way.operation.c_str(),
                way.path.c_str(), static_cast<long long>(bytes), 1e6 * time.median,
                1e6 * interval.low, 1e6 * interval.high,
                1e-9 * static_cast<double>(bytes) / time.median);
    std::fflush(stdout);
  }

  Communicator world_;
  bool peers_;
};

void run(Session& session, index_t largest)
{
  session.start({}, {});
  auto const& path = session.gpu_aware();
  if (session.world().rank() == 0)
    std::printf("%d ranks, arrays: %s (%s)\n", session.world().ranks(), path.used.c_str(),
                path.how.c_str());
  auto const no_peers = probe_peer_exchange(session.world());
  if (session.world().rank() == 0 && !no_peers.empty())
    std::printf("no copies from device to device: %s\n", no_peers.c_str());
  Bench bench(session.world(), no_peers.empty());
  bench.measure(1);
  constexpr index_t smallest = 1024;
  for (index_t bytes = smallest; bytes <= largest; bytes *= 4)
    bench.measure(bytes / static_cast<index_t>(sizeof(double)));
}

} // namespace

} // namespace strata::runtime

int main(int argc, char** argv)
{
  using namespace strata;
  std::string const argument = argc > 1 ? argv[1] : "268435456";
  if (argument == "--help") {
    std::cout << runtime::help;
    return 0;
  }
  runtime::Session session(argc, argv);
  try {
    runtime::run(session, std::stoll(argument));
  } catch (std::exception const& error) {
    Failure const failure(error);
    if (!session.world().all_end_with(failure))
      session.world().abort(failure);
    if (session.world().rank() == 0)
      std::cerr << "strata-exchangebench: " << failure.text << "\n";
    return static_cast<int>(failure.exit);
  }
  session.end();
  return 0;
}
