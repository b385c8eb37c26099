#include "driver/axis.hpp"
#include "fragments/fragments.hpp"
#include "testing/thread_cluster.hpp"
#include "testing/trials.hpp"
#include "trials/checks.hpp"
#include "trials/counter.hpp"
#include "trials/inverse_launches.hpp"
#include "trials/tile_launches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

// Other ways to make the passes beside a launch for each, on the same matrix.

namespace strata::mgs {

namespace {

/// A matrix of one rank, and its factors after a step.
template <class Layout>
class Factorised
{
public:
  explicit Factorised(Matrix const& matrix)
      : matrix_(matrix)
      , a_("strata::test::a", Dynamic<2>(padded(matrix.rows), matrix.columns))
      , factor_(matrix.columns, false)
      , ranks_(runtime::Communicator::self(), {"auto", "staged", ""})
  {
    auto const a = a_.write();
    for_each(in_order_of<Layout>(Dynamic<2>(padded(matrix.rows), matrix.columns)),
             SetMatrix<std::remove_const_t<decltype(a)>>{a, matrix, 0, matrix.rows});
    for_each(factor_.columns() * factor_.pitch(), SpoilFactor{factor_.r(0), factor_.pitch()});
  }
  Fields<Layout> fields() { return {a_, matrix_.rows, factor_, ranks_}; }
  [[nodiscard]] index_t allreduces() const { return ranks_.calls(); }
  [[nodiscard]] SmallMatrix r() const { return fetched(factor_); }
  /// Q by columns, and R.
  [[nodiscard]] std::vector<double> numbers() const
  {
    auto const a = host_mirror(a_);
    copy(a, a_);
    Kokkos::fence();
    SmallMatrix const of_factor = r();
    std::vector<double> all;
    for (index_t k = 0; k < matrix_.columns; ++k) {
      for (index_t i = 0; i < matrix_.rows; ++i)
        all.push_back(a(i, k));
      for (index_t j = 0; j <= k; ++j)
        all.push_back(of_factor(j, k));
    }
    return all;
  }

private:
  Matrix matrix_;
  Multivector<Layout> a_;
  Factor factor_;
  OverRanks ranks_;
};

/// Kahan's matrix of this angle needs the shift with 32 columns: its condition is 10^9.
constexpr double angle = 0.95;

/// Holds what `step(fields, algorithm)` makes of a matrix against one launch a pass.
template <class Layout, class F>
void expect_the_same(Matrix const& matrix, F const& step,
                     std::vector<std::string> const& names = {"cholesky2", "blocked"})
{
  for (std::string const& name : names) {
    auto const by_tiles = algorithm(name).by_tiles;
    Factorised<Layout> expected(matrix);
    TileLaunches<Layout> launches(expected.fields(), matrix.rows);
    by_tiles(launches, matrix.columns);
    Factorised<Layout> found(matrix);
    step(found.fields(), by_tiles);
    // Rounding errors in Q grow with the condition, that of Kahan's for what the shift leaves.
    double const allowed = matrix.kind == MatrixKind::kahan ? 1e-5 : 1e-11;
    auto const wanted = expected.numbers();
    auto const numbers = found.numbers();
    ASSERT_EQ(wanted.size(), numbers.size());
    for (std::size_t n = 0; n < wanted.size(); ++n)
      ASSERT_NEAR(numbers[n], wanted[n], allowed)
          << name << ' ' << driver::word_of<Layout>() << ' ' << matrix.rows << " x "
          << matrix.columns << ", number " << n;
    EXPECT_EQ(found.allreduces(), expected.allreduces());
  }
}

template <class F>
void each_matrix(std::vector<index_t> const& rows, std::vector<index_t> const& columns,
                 F const& f)
{
  for (index_t const n : rows)
    for (index_t const m : columns)
      if (m <= n)
        f(Matrix{MatrixKind::random, n, m, 1, angle});
  f(Matrix{MatrixKind::kahan, 700, 32, 1, angle});
}

/// Launches of which `blocked` divides panels again, on any device and however few rows.
template <class Layout>
class DividingAgain : public TileLaunches<Layout>
{
public:
  using TileLaunches<Layout>::TileLaunches;
  [[nodiscard]] bool divides_again() const override { return true; }
};

TEST(MgsTileSteps, OfPanelsDividedAgainAreThoseOfPanelsStored)
{
  each_matrix({33, 150, 1000}, {1, 8, 9, 20, 32}, [](Matrix const& matrix) {
    SpanLayouts::for_each([&]<class Layout>() {
      expect_the_same<Layout>(matrix, [](auto const& fields, auto by_tiles) {
        DividingAgain<Layout> launches(fields, fields.rows);
        by_tiles(launches, fields.factor.columns());
      });
    });
  });
}

/// Kahan's matrix of this angle needs no shift, but rounding grows in its inverse.
constexpr double growing_angle = 1.1;

TEST(MgsTileSteps, OfInversesAreTheLaunches)
{
  EXPECT_EQ(InverseLaunches<LayoutLeft>::are_possible(32), has_fragments(32));
  if (!has_fragments(32))
    GTEST_SKIP() << "this device does not divide by inverses of small factors";
  auto const expect = [](Matrix const& matrix, bool refused) {
    SpanLayouts::for_each([&]<class Layout>() {
      expect_the_same<Layout>(matrix,
                              [&](auto const& fields, auto by_tiles) {
                                InverseLaunches<Layout> launches(fields, fields.rows);
                                by_tiles(launches, fields.factor.columns());
                                EXPECT_EQ(launches.is_refused(), refused) << matrix.columns;
                              },
                              {"cholesky2"});
    });
  };
  for (index_t const rows : {33, 1000, 90001})
    for (index_t const columns : {1, 7, 8, 9, 17, 29, 32})
      expect({MatrixKind::random, rows, columns, 1, angle}, false);
  expect({MatrixKind::kahan, 700, 32, 1, angle}, true);
  expect({MatrixKind::kahan, 700, 32, 1, growing_angle}, true);
}

TEST(MgsTileSteps, OfCasesAreOfInversesWhereTheseAreFaster)
{
  if (!has_fragments(32))
    GTEST_SKIP() << "this device does not divide by inverses of small factors";
  for (index_t const rows : {index_t{80000}, index_t{90000}}) {
    Matrix const matrix{MatrixKind::random, rows, 32, 1, angle};
    Problem problem;
    problem.matrix = matrix;
    problem.count = rows;
    EXPECT_EQ(divides_by_inverses(problem), rows == 90000);
    Choice const choice{"cholesky2", "span", "left", "device", "double"};
    driver::Workspace workspace;
    workspace.reserve({slot(problem)});
    auto const trial = tile_maker(choice, problem)(workspace);
    testing::take_steps(*trial, 1);
    SmallMatrix const found = fetched(dynamic_cast<FactorTrial<LayoutLeft>&>(*trial).factor());
    auto const r_of = [&]<class Launches>() {
      Factorised<LayoutLeft> made(matrix);
      Launches launches(made.fields(), rows);
      cholesky_twice(launches, matrix.columns);
      return made.r();
    };
    auto const same = [&](SmallMatrix const& r) {
      for (index_t j = 0; j < matrix.columns; ++j)
        for (index_t k = j; k < matrix.columns; ++k)
          if (r(j, k) != found(j, k))
            return false;
      return true;
    };
    // Rounding differs, so that the bits of R tell who made it.
    EXPECT_EQ(same(r_of.template operator()<InverseLaunches<LayoutLeft>>()), rows == 90000);
    EXPECT_EQ(same(r_of.template operator()<TileLaunches<LayoutLeft>>()), rows == 80000);
  }
}

TEST(MgsTileSteps, OfOneLaunchAreTheLaunches)
{
  if (!OneTileLaunch<LayoutLeft>::is_possible(32))
    GTEST_SKIP() << "this device runs no clusters of blocks";
  each_matrix({1, 7, 31, 33, 1000, 1024, 4097}, {1, 7, 8, 9, 17, 29, 32},
              [](Matrix const& matrix) {
                SpanLayouts::for_each([&]<class Layout>() {
                  ASSERT_TRUE(OneTileLaunch<Layout>::is_possible(matrix.columns));
                  expect_the_same<Layout>(matrix, [](auto const& fields, auto by_tiles) {
                    OneTileLaunch<Layout>{fields, by_tiles}();
                  });
                });
              });
}

/// The kernel's own logic, by threads of a host.
template <class Layout, int Columns>
void expect_of_threads(Matrix const& matrix)
{
  using Kernel = TileStepsKernel<Span<double, Dynamic<2>, Layout>, Columns, 3, 32>;
  expect_the_same<Layout>(matrix, [&](auto const& fields, auto by_tiles) {
    TileRecorder recorder;
    by_tiles(recorder, matrix.columns);
    std::vector<double> partials(Kernel::partial_values);
    testing::run_cluster_on_threads(Kernel(fields.a.write(), fields.rows, recorder.steps(),
                                           partials.data(), fields.factor.r(0),
                                           fields.factor.pitch()));
    Counter count(matrix.rows, matrix.columns);
    by_tiles(count, matrix.columns);
    for (index_t n = 0; n < count.allreduces(); ++n)
      fields.ranks.sum_alone();
  });
}

TEST(MgsTileSteps, OfThreadsAreTheLaunches)
{
  if constexpr (device_is_host)
    each_matrix({20, 33, 150}, {1, 17, 20, 32}, [](Matrix const& matrix) {
      expect_of_threads<LayoutLeft, 32>(matrix);
      expect_of_threads<LayoutRight, 32>(matrix);
      if (matrix.columns <= 8)
        expect_of_threads<LayoutLeft, 8>(matrix);
    });
}

} // namespace

} // namespace strata::mgs
