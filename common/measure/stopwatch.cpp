#include "stopwatch.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace strata::measure {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end)
{
  return std::chrono::duration<double>(end - begin).count();
}

double measure_resolution()
{
  double smallest = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 100; ++attempt) {
    auto const begin = Clock::now();
    auto end = Clock::now();
    while (end == begin)
      end = Clock::now();
    smallest = std::min(smallest, seconds_between(begin, end));
  }
  return smallest;
}

} // namespace

Sample take(runtime::Communicator const& ranks, int inner, std::function<void()> const& step)
{
  STRATA_CHECK(inner > 0, "a sample has at least one step");
  Kokkos::fence();
  ranks.barrier();
  auto const begin = Clock::now();
  for (int repeat = 0; repeat < inner; ++repeat)
    step();
  Kokkos::fence();
  double const mine = seconds_between(begin, Clock::now()) / inner;
  auto const slowest = ranks.max_of_rank(mine);
  return {.max_s = slowest.value,
          .min_s = ranks.min(mine),
          .mean_s = ranks.sum(mine) / ranks.ranks(),
          .slowest_rank = slowest.rank};
}

double now()
{
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double clock_resolution()
{
  static double const resolution = measure_resolution();
  return resolution;
}

} // namespace strata::measure
