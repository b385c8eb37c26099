#include "counter.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "tile_kernels.hpp"

#include "array/array.hpp"
#include "testing/counted.hpp"
#include "testing/touched.hpp"

#include <gtest/gtest.h>

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
  double coefficients_[chunk + columns] = {};
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

  count = counted([](Counter& on) { on.fused(1); });
  expect_sums<Many>(FusedPass<Rows>{span(), 1, 2, columns - 2, row()}, count);

  count = counted([](Counter& on) { on.project(3, false); });
  expect_sums<Many>(RowDots<Rows>{span(), 3, 0, 3}, count);

  count = counted([](Counter& on) { on.subtract(3, false, true); });
  expect_sums<Scalar>(Subtract<Rows>{span(), 3, 0, 3, coefficients()}, count);
}

TEST(MgsTiles, MoveTheBytesThatAreCounted)
{
  if constexpr (device_is_host) {
    using Numbers = Span<double, Dynamic<2>, LayoutRight, testing::AccessTouched>;
    constexpr index_t many = 150; // two tiles and a part
    std::vector<double> values(many * columns, 0.5);
    Numbers const a(values.data(), Numbers::mapping_type(Dynamic<2>(many, columns)));
    std::vector<double> small(5 * 1024, 1.0);
    TileMemory const memory{small.data(),        small.data(), small.data(),     small.data(),
                            small.data() + 1024, small.data(), most_tile_columns};
    for (TilePass const& pass : std::vector<TilePass>{
             {{0, 0}, {0, columns}, false, false, {0, columns}, {0, columns}, false},
             {{1, 2}, {3, 3}, true, false, {1, 2}, {1, 5}, false},
             {{1, 2}, {3, 3}, true, true, {3, 2}, {3, 2}, false},
             {{0, columns}, {columns, 0}, true, false, {}, {}, false}}) {
      Counter count(many, columns);
      count.pass(pass);
      TileKernel<Numbers> const kernel(a, many, pass, memory);
      testing::Touches::restart();
      Kokkos::parallel_for(
          kernel.name(),
          Kokkos::TeamPolicy<Device>(2, TileShape::team)
              .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes()))),
          kernel);
      Kokkos::fence();
      EXPECT_EQ(count.work().bytes_read, testing::Touches::bytes_read());
      EXPECT_EQ(count.work().bytes_written, testing::Touches::bytes_written());
    }
  }
}

TEST(MgsCounter, CountsWhatThePapersAndTheReadmeSay)
{
  auto const bytes = [](char const* name) { return work_of(algorithm(name), 1, 32).bytes(); };
  EXPECT_EQ(bytes("sequence"), 20608);
  EXPECT_EQ(work_of(algorithm("sequence"), 1, 32).flops, 2 * 32 * 32 + 32);
  EXPECT_EQ(bytes("batched"), 13168);
  EXPECT_EQ(bytes("fused"), 8704);
  EXPECT_EQ(bytes("blocked"), 2240);
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
