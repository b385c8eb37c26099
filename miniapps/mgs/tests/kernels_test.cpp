#include "array/dense/array.hpp"
#include "array/launch/team.hpp"
#include "rows/fused_pass.hpp"
#include "rows/kernels.hpp"
#include "rows/row_launches.hpp"
#include "testing/counted.hpp"
#include "testing/thread_team.hpp"
#include "testing/touched.hpp"
#include "tiles/pack_tiles.hpp"
#include "tiles/row_tiles.hpp"
#include "trials/counter.hpp"
#include "trials/problem.hpp"
#include "trials/tile_launches.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace strata::mgs {

namespace {

// The counter's work is held against what kernels do, launch by launch.

using Scalar = testing::Counted<double>;
using Rows = Span<Scalar, Dynamic<2>, LayoutLeft, testing::AccessTouched>;

constexpr index_t rows = 7;
constexpr index_t columns = 6;

class MgsKernels : public ::testing::Test
{
protected:
  MgsKernels()
  {
    for (index_t i = 0; i < rows; ++i)
      for (index_t k = 0; k < columns; ++k)
        all_(i, k) = Scalar(1.0 + static_cast<double>(i * i + 3 * i * k + k));
    for (auto& value : coefficients_)
      value = 0.25;
  }

  /// Runs a kernel that sums into S for every row and holds its work against the counter's.
  template <class S, class Kernel>
  void expect_sums(Kernel const& kernel, measure::Work const& count)
  {
    expect(count, [&](index_t i) { kernel(sums<S>(), i); });
  }
  template <class Kernel>
  void expect_changes(Kernel const& kernel, measure::Work const& count)
  {
    expect(count, [&](index_t i) { kernel(i); });
  }

  [[nodiscard]] Rows span() const { return all_; }
  [[nodiscard]] OnDevice coefficients() const { return {coefficients_}; }
  [[nodiscard]] double const* row() const { return coefficients_; }

private:
  template <class S>
  static S& sums()
  {
    static S all;
    return all;
  }
  template <class F>
  static void expect(measure::Work const& count, F const& run)
  {
    testing::Operations::restart();
    testing::Touches::restart();
    for (index_t i = 0; i < rows; ++i)
      run(i);
    EXPECT_EQ(count.bytes_read, testing::Touches::bytes_read());
    EXPECT_EQ(count.bytes_written, testing::Touches::bytes_written());
    EXPECT_EQ(count.flops, testing::Operations::all());
  }

  std::vector<Scalar> memory_ = std::vector<Scalar>(rows * columns);
  Rows all_{memory_.data(), Rows::mapping_type(Dynamic<2>(rows, columns))};
  double coefficients_[chunk + 2 * columns] = {};
};

using Many = Sums<Scalar, chunk>;

/// What a counter makes of the calls in `made`.
template <class F>
measure::Work counted(F const& made)
{
  Counter counter(rows, columns);
  made(counter);
  return counter.work();
}

TEST_F(MgsKernels, OfOneAndTwoColumnsDoWhatIsCounted)
{
  auto count = counted([](Counter& on) { on.norm(2); });
  expect_sums<Scalar>(ColumnNorm<Rows>{span(), 2}, count);

  count = counted([](Counter& on) { on.dot(1, 3); });
  expect_sums<Scalar>(ColumnDot<Rows>{span(), 1, 3}, count);

  count = counted([](Counter& on) { on.scale(2); });
  double norm = 0;
  expect_changes(ColumnScale<Rows, OnDevice>{span(), 2, coefficients(), &norm}, count);
  EXPECT_EQ(norm, 0.5);

  count = counted([](Counter& on) { on.update(1, 3); });
  expect_changes(ColumnUpdate<Rows, OnDevice>{span(), 1, 3, coefficients()}, count);
}

TEST_F(MgsKernels, OfManyColumnsDoWhatIsCounted)
{
  auto count = counted([](Counter& on) { on.dots(1); });
  expect_sums<Many>(RowDots<Rows>{span(), 1, 2, columns - 2}, count);

  count = counted([](Counter& on) { on.updates(1); });
  expect_changes(RowUpdate<Rows, OnDevice>{span(), 1, 2, columns - 2, coefficients()}, count);

  count = counted([](Counter& on) { on.first_row(); });
  expect_sums<Many>(RowDots<Rows>{span(), 0, 0, columns}, count);

  count = counted([](Counter& on) { on.project(3, false); });
  expect_sums<Many>(RowDots<Rows>{span(), 3, 0, 3}, count);

  count = counted([](Counter& on) { on.subtract(3, false, true); });
  expect_sums<Scalar>(Subtract<Rows>{span(), 3, 0, 3, coefficients()}, count);
}

TEST_F(MgsKernels, OfFusedPassesDoWhatIsCounted)
{
  constexpr int deferred = 4;
  for (index_t j = 0; j + 1 < columns; ++j) {
    auto const others = static_cast<int>(columns - j - 1);
    Counter at_once(rows, columns, 1);
    at_once.fused(j);
    expect_sums<Many>(FusedStep<Rows>{span(), j, j + 1, others, row()}, at_once.work());
    Counter later(rows, columns, deferred);
    later.fused(j);
    expect_sums<Many>(FusedPass<Rows, deferred>{span(), first_deferred(j, deferred), j, j + 1,
                                                others, stores_step(j, columns, deferred),
                                                row(), 1},
                      later.work());
  }
}

/// A pass that defers no store is the plain step, bit for bit.
TEST(MgsFusedPass, OfOneStepIsTheStep)
{
  using Matrix = Array<double, Dynamic<2>, LayoutLeft, HostSpace>;
  Matrix const by_step("strata::test::by_step", rows, columns);
  Matrix const by_pass("strata::test::by_pass", rows, columns);
  double products[columns];
  constexpr index_t j = 1;
  for (index_t const first : {j + 1, j + 3}) {
    for (index_t k = 0; k < columns; ++k) {
      products[k] = 2.5 + 0.125 * static_cast<double>(k * k);
      for (index_t i = 0; i < rows; ++i)
        by_step(i, k) = by_pass(i, k) = 1.0 / static_cast<double>(1 + i * 7 + k * k);
    }
    auto const count = static_cast<int>(columns - first);
    Sums<double, summed> of_step;
    Sums<double, summed> of_pass;
    auto const a = by_step.write();
    auto const b = by_pass.write();
    using Plain = std::remove_const_t<decltype(a)>;
    for (index_t i = 0; i < rows; ++i) {
      FusedStep<Plain>{a, j, first, count, products}(of_step, i);
      FusedPass<Plain, 4>{b, j, j, first, count, true, products, columns}(of_pass, i);
    }
    for (int n = 0; n < count; ++n)
      EXPECT_EQ(of_step[n], of_pass[n]) << n;
    for (index_t i = 0; i < rows; ++i)
      for (index_t k = 0; k < columns; ++k)
        EXPECT_EQ(by_step(i, k), by_pass(i, k)) << i << ", " << k;
  }
}

constexpr index_t many = 150; ///< rows: two tiles of a host, four of a GPU, and a part
constexpr index_t wide = 20;  ///< columns: not a whole number of panels

/// What algorithms by tiles ask for.
std::vector<TilePass> passes()
{
  std::vector<TilePass> all;
  for (bool const divides_again : {false, true})
    for (std::string const name : {"cholesky2", "blocked"}) {
      TileRecorder recorder(divides_again);
      algorithm(name).by_tiles(recorder, wide);
      for (int n = 0; n < recorder.steps().count; ++n)
        all.push_back(recorder.steps().step[n].pass);
    }
  return all;
}

/// The small matrices before and after a pass.
struct SmallNumbers
{
  static constexpr index_t square = most_tile_columns * most_tile_columns;
  std::vector<double> values = std::vector<double>(static_cast<std::size_t>(100 * square));

  SmallNumbers()
  {
    for (int place = 0; place < most_divisors; ++place)
      for (index_t b = 0; b < most_tile_columns; ++b) {
        for (index_t c = b; c < most_tile_columns; ++c)
          memory().factor(place, b)[c] = 1.0 / static_cast<double>(1 + b + (2 + place) * c);
        memory().inverse(place)[b] = 1.0 / static_cast<double>(2 + place + b);
      }
  }
  double& at(index_t n) { return values[static_cast<std::size_t>(n)]; }
  TileMemory memory()
  {
    return {&at(0),          &at(3 * square),     &at(2 * square),
            &at(4 * square), &at(square * 7 / 2), most_tile_columns};
  }
};

std::vector<double> random_rows()
{
  std::vector<double> values(static_cast<std::size_t>(padded(many) * wide));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<double>(n * 7919 % 1013) / 1013 - 0.5;
  return values;
}

/// Values and products after a pass.
template <class Kernel>
std::vector<double> after(TilePass const& pass, Kernel const& kernel,
                          std::vector<double> const& values, SmallNumbers& small)
{
  std::vector<double> found = values;
  index_t const count = pass.left.count * pass.right.count;
  for (index_t n = 0; n < count; ++n) {
    double sum = 0;
    for (index_t part = 0; part < kernel.parts(); ++part)
      sum += small.at(4 * SmallNumbers::square + part * count + n);
    // Below the diagonal of what is symmetric nothing is promised.
    found.push_back(n / pass.right.count <= n % pass.right.count ? sum : 0.0);
  }
  return found;
}

template <class Layout>
void expect_that_both_kernels_agree(bool repeats)
{
  using Numbers = Span<double, Dynamic<2>, Layout>;
  for (TilePass const& pass : passes()) {
    auto on_host = random_rows();
    auto on_gpu = on_host;
    SmallNumbers of_host;
    SmallNumbers of_gpu;
    *of_host.memory().repeats = *of_gpu.memory().repeats = repeats ? 1 : 0;
    typename Numbers::mapping_type const mapping(Dynamic<2>(padded(many), wide));
    PackTileKernel<Numbers> const host(Numbers(on_host.data(), mapping), many, pass,
                                       of_host.memory());
    for_each_team<1>(host.teams(), host);
    Kokkos::fence();
    std::vector<double> found;
    with_tile_kernel<Numbers>(pass, [&]<class Kernel>() {
      Kernel const gpu(Numbers(on_gpu.data(), mapping), many, pass, of_gpu.memory());
      testing::run_on_threads<Kernel::members>(gpu.teams(), gpu, Kernel::scratch_bytes);
      found = after(pass, gpu, on_gpu, of_gpu);
    });
    auto const expected = after(pass, host, on_host, of_host);
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t n = 0; n < found.size(); ++n)
      ASSERT_NEAR(expected[n], found[n], 1e-12) << n;
  }
}

TEST(MgsTiles, AreTheSameOnAGpuAndOnAHost)
{
  if constexpr (device_is_host) {
    for (bool const repeats : {false, true}) {
      expect_that_both_kernels_agree<LayoutLeft>(repeats);
      expect_that_both_kernels_agree<LayoutRight>(repeats);
    }
  }
}

TEST(MgsTiles, MoveTheBytesThatAreCounted)
{
  if constexpr (device_is_host) {
    using Numbers = Span<double, Dynamic<2>, LayoutRight, testing::AccessTouched>;
    for (TilePass const& pass : passes()) {
      auto values = random_rows();
      SmallNumbers small;
      Numbers const a(values.data(), Numbers::mapping_type(Dynamic<2>(padded(many), wide)));
      Counter count(many, wide);
      count.pass(pass);
      PackTileKernel<Numbers> const kernel(a, many, pass, small.memory());
      testing::Touches::restart();
      for_each_team<1>(kernel.teams(), kernel);
      Kokkos::fence();
      EXPECT_EQ(count.work().bytes_read, testing::Touches::bytes_read());
      EXPECT_EQ(count.work().bytes_written, testing::Touches::bytes_written());
    }
  }
}

/// Launches by teams of threads, as a GPU would, beside the same kernel row by row.
template <int N, class Layout, template <class> class KernelOf, class... Arguments>
void expect_sums_by_teams(int count, Arguments... arguments)
{
  using Numbers = Span<double, Dynamic<2>, Layout>;
  using Kernel = KernelOf<Numbers>;
  auto by_rows = random_rows();
  auto const kernel_on = [&](std::vector<double>& values) {
    typename Numbers::mapping_type const mapping(Dynamic<2>(padded(many), wide));
    return Kernel{Numbers(values.data(), mapping), arguments...};
  };
  auto const expect = [&]<bool Staged>(Sums<double, chunk> const& expected) {
    constexpr int width = std::is_same_v<Layout, LayoutRight> ? 1 : 2;
    using Teams = TeamSums<Kernel, N, width, Staged>;
    auto by_teams = random_rows();
    index_t const teams = 2;
    std::vector<double> parts(static_cast<std::size_t>(teams * Teams::width));
    testing::run_on_threads<Teams::members>(
        teams, Teams{kernel_on(by_teams), many, teams, parts.data()}, Teams::scratch_bytes);
    EXPECT_EQ(by_teams, by_rows);
    for (int n = 0; n < Teams::width; ++n)
      EXPECT_NEAR(parts[static_cast<std::size_t>(n)] +
                      parts[static_cast<std::size_t>(n + Teams::width)],
                  n < count ? expected[n] : 0.0, 1e-11)
          << n << " of " << count;
  };
  Sums<double, chunk> expected;
  for (index_t i = 0; i < many; ++i)
    kernel_on(by_rows)(expected, i);
  expect.template operator()<false>(expected);
  if constexpr (HasSlots<Kernel>)
    expect.template operator()<true>(expected);
}

constexpr int most_steps = 4;
template <class A>
using DeferredPass = FusedPass<A, most_steps>;

TEST(MgsTeams, SumAndStoreAsRowsDoOneByOne)
{
  if constexpr (device_is_host) {
    constexpr index_t pitch = wide + chunk;
    std::vector<double> products(most_steps * pitch);
    for (std::size_t n = 0; n < products.size(); ++n) // all differ
      products[n] = 0.25 + 0.002 * static_cast<double>(n);
    for (bool const stores : {false, true})
      for (int const steps : {1, 2, 3, 4}) {
        auto const expect_fused = [&]<int N, class Layout>(int j, int first, int count) {
          expect_sums_by_teams<N, Layout, DeferredPass>(count, j + 1 - steps, j, first, count,
                                                        stores, products.data(), pitch);
        };
        expect_fused.template operator()<16, LayoutLeft>(3, 4, 16);
        expect_fused.template operator()<16, LayoutRight>(4, 5, 15);
        expect_fused.template operator()<4, LayoutLeft>(12, 13, 7);
        expect_fused.template operator()<4, LayoutRight>(18, 19, 1);
        expect_fused.template operator()<8, LayoutLeft>(5, 9, 9); // an earlier launch
      }
    expect_sums_by_teams<8, LayoutLeft, RowDots>(13, 2, 3, 13);
    expect_sums_by_teams<4, LayoutRight, RowDots>(5, 0, 2, 5);
  }
}

TEST(MgsCounter, CountsWhatThePapersAndTheReadmeSay)
{
  auto const bytes = [](char const* name) { return work_of(algorithm(name), 1, 32).bytes(); };
  EXPECT_EQ(bytes("sequence"), 20608);
  EXPECT_EQ(work_of(algorithm("sequence"), 1, 32).flops, 2 * 32 * 32 + 32);
  EXPECT_EQ(bytes("batched"), device_is_host ? 13168 : 13288);
  EXPECT_EQ(bytes("fused"), device_is_host ? 8704 : 6000);
  Counter deferred(1, 32, most_steps);
  fused(deferred, 32);
  EXPECT_EQ(deferred.work().bytes(), 6000);
  if (device_is_host) {
    EXPECT_EQ(bytes("classical"), 9200);
    EXPECT_EQ(bytes("classical2"), 17880);
  }
  EXPECT_EQ(bytes("householder"), 1024);
  EXPECT_EQ(bytes("blocked"), 2240);
  index_t const more = rows_of_one_launch + 1;
  EXPECT_EQ(work_of(algorithm("blocked"), more, 32).bytes(),
            more * (device_is_host ? 2240 : 1984));
  EXPECT_EQ(bytes("cholesky2"), 1280);
  EXPECT_EQ(allreduces_of(algorithm("sequence"), 32), 528);
  EXPECT_EQ(allreduces_of(algorithm("batched"), 32), 63);
  EXPECT_EQ(allreduces_of(algorithm("fused"), 32), 32);
  EXPECT_EQ(allreduces_of(algorithm("classical"), 32), 63);
  EXPECT_EQ(allreduces_of(algorithm("classical2"), 32), 94);
  EXPECT_EQ(allreduces_of(algorithm("blocked"), 32), 8);
  EXPECT_EQ(allreduces_of(algorithm("cholesky2"), 32), 2);
}

} // namespace

} // namespace strata::mgs
