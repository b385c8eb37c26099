#include "runtime/mpi/exchange.hpp"
#include "runtime/mpi/probe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace strata::runtime {

namespace {

using Values = Kokkos::View<double*, DeviceSpace>;

Values on_device(std::vector<double> const& values)
{
  Values const numbers("strata::runtime::exchange_test", values.size());
  auto const host = Kokkos::create_mirror_view(numbers);
  for (std::size_t i = 0; i < values.size(); ++i)
    host(i) = values[i];
  Kokkos::deep_copy(numbers, host);
  return numbers;
}

std::vector<double> on_host(Values const& numbers)
{
  auto const host = Kokkos::create_mirror_view_and_copy(HostSpace(), numbers);
  return {host.data(), host.data() + host.extent(0)};
}

/// Every path that this build can take, but for MPI with device pointers; all must give the
/// same.
class ExchangePath : public ::testing::TestWithParam<char const*>
{
protected:
  void SetUp() override
  {
    if (std::string(GetParam()) != "peer")
      return;
    if (auto const why = probe_peer_exchange(world_); !why.empty())
      GTEST_SKIP() << why;
  }

  Communicator const world_ = Communicator::world();
  Exchange exchange_{world_, GpuAware{"auto", GetParam(), ""}};
};

/// Of `rank`: rank + 1 numbers, rank, rank + 0.5, ...
std::vector<double> numbers_of(int rank)
{
  std::vector<double> numbers;
  for (int i = 0; i <= rank; ++i)
    numbers.push_back(rank + 0.5 * i);
  return numbers;
}

TEST_P(ExchangePath, SumsOverRanksInPlace)
{
  double const rank = world_.rank();
  double const ranks = world_.ranks();
  for (int repeat = 1; repeat <= 2; ++repeat) { // the second time in kept buffers
    auto const numbers = on_device({1.0 * repeat, rank, -rank});
    exchange_.allreduce_sum(numbers.data(), 3);
    auto const sum = ranks * (ranks - 1) / 2;
    EXPECT_EQ(on_host(numbers), (std::vector<double>{repeat * ranks, sum, -sum}));
  }
}

/// Long enough for a sum by shares, and of another allocation each time.
TEST_P(ExchangePath, SumsLongArrays)
{
  auto const count = Exchange::least_peer_sum_bytes / static_cast<index_t>(sizeof(double)) + 1;
  for (int repeat = 1; repeat <= 3; ++repeat) {
    std::vector<double> values;
    std::vector<double> expected;
    for (index_t i = 0; i < count * repeat; ++i) {
      values.push_back(static_cast<double>(i + world_.rank()));
      expected.push_back(static_cast<double>(world_.ranks() * i) +
                         0.5 * world_.ranks() * (world_.ranks() - 1));
    }
    auto const numbers = on_device(values);
    exchange_.allreduce_sum(numbers.data(), count * repeat);
    EXPECT_EQ(on_host(numbers), expected);
  }
}

TEST_P(ExchangePath, GathersPartsOfAnyLength)
{
  std::vector<index_t> counts;
  std::vector<double> expected;
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    auto const numbers = numbers_of(rank);
    counts.push_back(static_cast<index_t>(numbers.size()));
    expected.insert(expected.end(), numbers.begin(), numbers.end());
  }
  auto const mine = on_device(numbers_of(world_.rank()));
  auto const all = on_device(std::vector<double>(expected.size(), -1));
  exchange_.allgatherv(mine.data(), all.data(), counts);
  EXPECT_EQ(on_host(all), expected);

  auto const start =
      std::accumulate(counts.begin(), counts.begin() + world_.rank(), index_t{0});
  exchange_.allgatherv(all.data() + start, all.data(), counts);
  EXPECT_EQ(on_host(all), expected);
}

TEST_P(ExchangePath, SendsAroundTheRingBothWays)
{
  int const left = (world_.rank() + world_.ranks() - 1) % world_.ranks();
  int const right = (world_.rank() + 1) % world_.ranks();
  auto const size = [](Values const& n) {
    return static_cast<index_t>(n.extent(0) * sizeof(double));
  };
  auto const mine = on_device(numbers_of(world_.rank()));
  auto const from_left = on_device(std::vector<double>(numbers_of(left).size()));
  auto const from_right = on_device(std::vector<double>(numbers_of(right).size()));

  std::vector<Message> const sends{{right, mine.data(), size(mine)},
                                   {left, mine.data(), size(mine)}};
  std::vector<Message> const receives{{left, from_left.data(), size(from_left)},
                                      {right, from_right.data(), size(from_right)}};
  exchange_.exchange(sends, receives);
  EXPECT_EQ(on_host(from_left), numbers_of(left));
  EXPECT_EQ(on_host(from_right), numbers_of(right));
  exchange_.exchange({}, {});
}

/// Among messages to others, as images of a periodic box are.
TEST_P(ExchangePath, CopiesWhatARankSendsToItself)
{
  int const left = (world_.rank() + world_.ranks() - 1) % world_.ranks();
  int const right = (world_.rank() + 1) % world_.ranks();
  auto const mine = on_device({1.0 * world_.rank(), 10.0 + world_.rank()});
  auto const kept = on_device({-1, -1});
  auto const come = on_device({-1});
  constexpr index_t one = sizeof(double);
  std::vector<Message> const sends{{world_.rank(), mine.data() + 1, one},
                                   {right, mine.data(), one},
                                   {world_.rank(), mine.data(), one}};
  std::vector<Message> const receives{{world_.rank(), kept.data(), one},
                                      {left, come.data(), one},
                                      {world_.rank(), kept.data() + 1, one}};
  if (world_.ranks() == 1)
    return;
  for (auto const exchange : {&Exchange::exchange, &Exchange::exchange_once}) {
    Kokkos::deep_copy(kept, -1);
    Kokkos::deep_copy(come, -1);
    (exchange_.*exchange)(sends, receives);
    EXPECT_EQ(on_host(kept), (std::vector<double>{10.0 + world_.rank(), 1.0 * world_.rank()}));
    EXPECT_EQ(on_host(come), std::vector<double>{1.0 * left});
  }
}

/// One after the other, of unlike numbers of values, without a wait between them.
TEST_P(ExchangePath, SumsInTheOrderOfTheCalls)
{
  constexpr int sums = 40;
  auto const numbers = on_device(std::vector<double>(sums, 1));
  for (int i = 0; i < sums; ++i)
    exchange_.allreduce_sum(numbers.data() + i, sums - i);
  double const ranks = world_.ranks();
  std::vector<double> expected;
  for (int i = 1; i <= sums; ++i)
    expected.push_back(std::pow(ranks, i));
  auto const found = on_host(numbers);
  for (std::size_t i = 0; i < sums; ++i)
    EXPECT_DOUBLE_EQ(found[i], expected[i]) << i;
}

TEST_P(ExchangePath, LoneRankNeedsNoMpi)
{
  Exchange alone(Communicator::self(), GpuAware{"auto", GetParam(), ""});
  auto const mine = on_device({1, 2});
  auto const all = on_device({0, 0});
  alone.allreduce_sum(mine.data(), 2);
  alone.allgatherv(mine.data(), all.data(), {2});
  EXPECT_EQ(on_host(all), (std::vector<double>{1, 2}));

  auto const copy = on_device({0, 0});
  std::vector<Message> const sends{{0, mine.data(), 2 * sizeof(double)}};
  std::vector<Message> const receives{{0, copy.data(), 2 * sizeof(double)}};
  alone.exchange(sends, receives);
  EXPECT_EQ(on_host(copy), (std::vector<double>{1, 2}));
}

INSTANTIATE_TEST_SUITE_P(Paths, ExchangePath,
                         device_is_host ? ::testing::Values("staged", "host")
                                        : ::testing::Values("staged", "peer"));

} // namespace

} // namespace strata::runtime
