#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "array/launch/sums.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace strata {

namespace {

using Columns = Array<double, Dynamic<2>, LayoutLeft>;

/// a(i, k) = i + 1000 k: every column has another sum.
template <class A>
struct FillColumns
{
  static constexpr char const* name() { return "strata::FillColumns"; }
  A a;
  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    for (index_t k = 0; k < a.extent(1); ++k)
      a(i, k) = static_cast<double>(i + 1000 * k);
  }
};

/// sums[n] += a(i, first + n)
template <class A, int N>
struct ColumnSums
{
  static constexpr char const* name() { return "strata::ColumnSums"; }
  A a;
  index_t first;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sums, I i) const
  {
    for (int n = 0; n < N; ++n)
      if (first + n < a.extent(1))
        sums[n] += ValueAt<double, I>(a(i, first + n));
  }
};

/// The columns' sums, found N at a time over packs of W.
template <int N, int W>
std::vector<double> sums_of(index_t rows, index_t columns)
{
  Columns const a("strata::sums_test", Dynamic<2>(rows, columns));
  for_each(rows, FillColumns<decltype(a.write())>{a.write()});
  Array<double, Dynamic<1>, LayoutRight> const sums("strata::sums_test::sums",
                                                    Dynamic<1>((columns + N - 1) / N * N));
  auto const from = a.read();
  reduce_many<N>(
      in_order_of<LayoutRight>(Dynamic<1>(rows)), columns,
      [&](index_t first) { return ColumnSums<decltype(from), N>{from, first}; }, sums.write(),
      Packs<W>{});
  auto const found = host_mirror(sums);
  Kokkos::fence();
  if constexpr (!device_is_host)
    Kokkos::deep_copy(found.memory(), sums.memory());
  return {found.data(), found.data() + found.size()};
}

std::vector<double> expected(index_t rows, index_t columns, index_t padded)
{
  std::vector<double> sums(static_cast<std::size_t>(padded), 0.0);
  for (index_t k = 0; k < columns; ++k)
    sums[static_cast<std::size_t>(k)] =
        0.5 * static_cast<double>(rows * (rows - 1) + 2000 * k * rows);
  return sums;
}

TEST(Sums, AddElementByElement)
{
  Sums<double, 3> a;
  EXPECT_EQ(a[0] + a[1] + a[2], 0.0);
  a[1] = 2;
  Sums<double, 3> b = a;
  b[2] = 5;
  a += b;
  EXPECT_EQ(a[0], 0.0);
  EXPECT_EQ(a[1], 4.0);
  EXPECT_EQ(a[2], 5.0);
}

TEST(Sums, OfPacksMeetLaneByLane)
{
  Sums<Pack<double, 4>, 2> packs;
  for (int w = 0; w < 4; ++w) {
    packs[0].lane[w] = w;
    packs[1].lane[w] = 10 * w;
  }
  auto const sums = lane_sum(packs);
  EXPECT_EQ(sums[0], 6.0);
  EXPECT_EQ(sums[1], 60.0);
}

TEST(Sums, AreOfAnyNumberOfColumnsAndRows)
{
  for (index_t const rows : {1, 7, 8, 523})
    for (index_t const columns : {1, 3, 4, 5, 12, 13}) {
      auto const wanted = expected(rows, columns, (columns + 3) / 4 * 4);
      EXPECT_EQ((sums_of<4, 1>(rows, columns)), wanted) << rows << " x " << columns;
      if constexpr (device_is_host) { // packs of columns of any length need no alignment here
        EXPECT_EQ((sums_of<4, 8>(rows, columns)), wanted) << rows << " x " << columns;
      }
    }
}

/// Σ i², in whole numbers that a double holds.
struct SquareSum
{
  static constexpr char const* name() { return "strata::SquareSum"; }
  KOKKOS_FUNCTION void operator()(double& sum, index_t i) const
  {
    sum += static_cast<double>(i * i);
  }
  KOKKOS_FUNCTION void operator()(Pack<double, 2>& sum, PackIndex<2> at) const
  {
    for (int w = 0; w < 2; ++w)
      sum.lane[w] += static_cast<double>((at.first + w) * (at.first + w));
  }
};
/// One that says so: steps that are left may be visited twice, and count once.
struct ReadSquareSum : SquareSum
{
  [[nodiscard]] auto writes() const { return std::tuple<>(); }
};

/// What all work items of a launch of Loop over `length` elements add up to.
template <class Loop>
double sum_by_items(index_t length)
{
  constexpr index_t most = 512;             // work items
  constexpr index_t concurrency = 4 * most; // of one multiprocessor
  Loop const loop(in_order_of<LayoutRight>(Dynamic<1>(length)), {}, concurrency);
  EXPECT_LE(loop.items(), most) << length;
  EXPECT_EQ(loop.items() % 32, 0) << length;
  double sum = 0;
  for (index_t item = 0; item < loop.items(); ++item)
    loop(item, sum);
  return sum;
}

TEST(Sums, OfAGpuVisitEveryStepOnce)
{
  using Visited = Walk<LayoutRight, Dynamic<1>>;
  using Even = detail::DeviceReduce<Visited, SquareSum, 1, true, double>;
  using EvenRead = detail::DeviceReduce<Visited, ReadSquareSum, 1, true, double>;
  using Packed = detail::DeviceReduce<Visited, SquareSum, 2, false, double>;
  using PackedRead = detail::DeviceReduce<Visited, ReadSquareSum, 2, false, double>;
  for (index_t const length :
       {1, 2, 31, 512, 513, 1025, 1500, 2047, 3001, 4096, 4097, 5000, 7777, 8192, 30001}) {
    index_t const last = length - 1;
    index_t const squares = last * (last + 1) * (2 * last + 1) / 6;
    auto const wanted = static_cast<double>(squares);
    EXPECT_EQ(sum_by_items<Even>(length), wanted) << length;
    EXPECT_EQ(sum_by_items<EvenRead>(length), wanted) << length;
    EXPECT_EQ(sum_by_items<Packed>(length), wanted) << length;
    EXPECT_EQ(sum_by_items<PackedRead>(length), wanted) << length;
  }
}

TEST(Sums, NeedRoomForWholeLaunches)
{
  Columns const a("strata::sums_test", Dynamic<2>(5, 5));
  Array<double, Dynamic<1>, LayoutRight> const sums("strata::sums_test::sums", Dynamic<1>(7));
  auto const from = a.read();
  auto const call = [&] {
    reduce_many<4>(
        in_order_of<LayoutRight>(Dynamic<1>(5)), 5,
        [&](index_t first) { return ColumnSums<decltype(from), 4>{from, first}; },
        sums.write());
  };
  EXPECT_THROW(call(), std::invalid_argument);
}

TEST(Sums, StayOnTheDevice)
{
  testing::Listener const listener;
  EXPECT_EQ((sums_of<4, 1>(523, 4)), expected(523, 4, 4));
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

/// Σ i + 1, which whole numbers hold exactly.
struct Count
{
  static constexpr char const* name() { return "strata::Count"; }

  template <class S>
  KOKKOS_FUNCTION void operator()(S& sum, index_t i) const
  {
    sum += static_cast<S>(i + 1);
  }
};

template <class T>
T value_of(Array<T, Extents<index_t>, LayoutRight> const& sum)
{
  T value{};
  Kokkos::deep_copy(value, Kokkos::View<T, DeviceSpace, Kokkos::MemoryUnmanaged>(sum.data()));
  return value;
}

template <class T>
class ReduceToOne : public ::testing::Test
{
};
using Scalars = ::testing::Types<double, std::int64_t, std::uint32_t, float>;
TYPED_TEST_SUITE(ReduceToOne, Scalars);

/// One team, two and several; more than once, since launches share memory.
TYPED_TEST(ReduceToOne, IsExactForAnyNumberOfTeams)
{
  using T = TypeParam;
  Array<T, Extents<index_t>, LayoutRight> const sum("strata::sums_test", Extents<index_t>());
  for (index_t const count : {1, 31, 1024, 1025, 2049, 5000})
    for (int launch = 0; launch < 3; ++launch) {
      reduce(in_order_of<LayoutRight>(Dynamic<1>(count)), Count{}, sum);
      EXPECT_EQ(static_cast<double>(value_of(sum)),
                static_cast<double>(count) * static_cast<double>(count + 1) / 2)
          << count;
    }
}

#if defined(KOKKOS_ENABLE_CUDA)

/// The numbers of launches begin anew after 2^32.
TEST(TeamReduce, EndsWhenTheNumbersBeginAnew)
{
  using Loop = detail::DeviceReduce<Walk<LayoutRight, Dynamic<1>>, Count, 1, false, double>;
  using Kernel = detail::TeamReduce<Loop>;
  constexpr index_t count = 1'000'000;
  Loop const loop(in_order_of<LayoutRight>(Dynamic<1>(count)), Count{}, Device().concurrency());
  auto const teams = static_cast<int>((loop.items() + Kernel::members - 1) / Kernel::members);
  ASSERT_GT(teams, 1);
  Array<double, Extents<index_t>, LayoutRight> const sum("strata::sums_test",
                                                         Extents<index_t>());
  auto const sums =
      detail::HandedSums::allocate<Device>(teams + 1, std::numeric_limits<unsigned>::max() - 1);
  for (int launch = 0; launch < 4; ++launch) {
    for_each_team<Kernel::members, Device>(teams,
                                           Kernel{"again", loop, teams, sums, sum.data()});
    EXPECT_EQ(value_of(sum), 0.5 * count * (count + 1)) << launch;
  }
}

#endif

} // namespace

} // namespace strata
