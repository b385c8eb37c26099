#include "every_case.hpp"

#include "fragments/fragment_products.hpp"
#include "fragments/fragment_quotient.hpp"
#include "fragments/fragment_refine.hpp"
#include "fragments/fragments.hpp"
#include "fragments/inverse_factor.hpp"
#include "rows/row_launches.hpp"
#include "testing/thread_team.hpp"
#include "trials/counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

// The kernels that hold rows and inverses in registers: against sums in order, by threads that
// take turns; and on a GPU that has them, cases of more rows than one launch takes.

namespace strata::mgs {

namespace {

std::size_t slot_of(index_t place)
{
  return static_cast<std::size_t>(place);
}

/// An array of so many rows and columns, padded with rows of zeros.
template <class Layout>
class PaddedRows
{
public:
  using A = Span<double, Dynamic<2>, Layout>;
  PaddedRows(index_t rows, index_t columns)
      : rows(rows)
      , columns(columns)
      , mapping_(Dynamic<2>(padded(rows), columns))
      , values_(slot_of(mapping_.required_span_size()), 0)
  {
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j)
        span()(i, j) = number(i, j);
  }
  A span() { return A(values_.data(), mapping_); }
  static double number(index_t i, index_t j)
  {
    return static_cast<double>((i * 37 + j) * 7919 % 1013) / 1013 - 0.5;
  }

  index_t rows;
  index_t columns;

private:
  typename A::mapping_type mapping_;
  std::vector<double> values_;
};

/// U⁻¹ of some U, with zeros behind its columns.
std::vector<double> some_inverse(index_t columns, int kind)
{
  std::vector<double> inverse(slot_of(most_tile_columns * most_tile_columns), 0);
  for (index_t j = 0; j < columns; ++j)
    for (index_t k = j; k < columns; ++k)
      inverse[slot_of(j * most_tile_columns + k)] =
          static_cast<double>((j * 31 + k * 17 + kind) % 23) / 23 - 0.5;
  return inverse;
}
double quotient(std::vector<double> const& row, std::vector<double> const& inverse, index_t k)
{
  double sum = 0;
  for (index_t j = 0; j <= k; ++j)
    sum += row[slot_of(j)] * inverse[slot_of(j * most_tile_columns + k)];
  return sum;
}
/// A row of numbers, divided by so many of the inverses.
std::vector<double> row_of(index_t i, index_t columns,
                           std::vector<std::vector<double>> const& inverses)
{
  std::vector<double> row;
  for (index_t j = 0; j < columns; ++j)
    row.push_back(PaddedRows<LayoutLeft>::number(i, j));
  for (auto const& inverse : inverses) {
    auto const before = row;
    for (index_t k = 0; k < columns; ++k)
      row[slot_of(k)] = quotient(before, inverse, k);
  }
  return row;
}

/// Of the rows divided by `inverses`.
void expect_partials(std::vector<double> const& partials, index_t parts, index_t rows,
                     index_t columns, std::vector<std::vector<double>> const& inverses)
{
  std::vector<double> wanted(slot_of(columns * columns), 0);
  for (index_t i = 0; i < rows; ++i) {
    auto const row = row_of(i, columns, inverses);
    for (index_t j = 0; j < columns; ++j)
      for (index_t k = j; k < columns; ++k)
        wanted[slot_of(j * columns + k)] += row[slot_of(j)] * row[slot_of(k)];
  }
  for (index_t j = 0; j < columns; ++j)
    for (index_t k = j; k < columns; ++k) {
      double found = 0;
      for (index_t part = 0; part < parts; ++part)
        found += partials[slot_of((part * columns + j) * columns + k)];
      ASSERT_NEAR(found, wanted[slot_of(j * columns + k)], 1e-12)
          << columns << ": " << j << ' ' << k;
    }
}

/// All three kernels, by so many teams where there are rows for them.
template <class Layout, int Units>
void expect_kernels(index_t row_count, index_t columns, index_t teams = 1)
{
  using A = typename PaddedRows<Layout>::A;
  PaddedRows<Layout> rows(row_count, columns);
  std::vector<double> partials(slot_of(teams * columns * columns), NAN);
  double const none = 0;

  using Products = FragmentProducts<A, Units>;
  Products const products(rows.span(), row_count, columns, partials.data(), teams);
  testing::run_on_threads<Products::members>(products.teams(), products,
                                             Products::scratch_bytes);
  expect_partials(partials, products.teams(), row_count, columns, {});

  auto inverses = some_inverse(columns, 0);
  auto const second = some_inverse(columns, 5);
  using Refine = FragmentRefine<A, Units>;
  Refine const refine(rows.span(), row_count, columns, inverses.data(), &none, partials.data(),
                      teams);
  testing::run_on_threads<Refine::members>(refine.teams(), refine, Refine::scratch_bytes);
  expect_partials(partials, refine.teams(), row_count, columns, {inverses});

  auto const first = inverses;
  inverses.insert(inverses.end(), second.begin(), second.end());
  using Quotient = FragmentQuotient<A, Units>;
  Quotient const divide(rows.span(), row_count, columns, inverses.data(), &none, teams);
  testing::run_on_threads<Quotient::members>(divide.teams(), divide);
  auto const a = rows.span();
  for (index_t i = 0; i < padded(row_count); ++i) {
    auto const wanted = row_of(i, columns, {first, second});
    for (index_t k = 0; k < columns; ++k)
      ASSERT_NEAR(a(i, k), i < row_count ? wanted[slot_of(k)] : 0, 1e-12) << i << ' ' << k;
  }
}

TEST(MgsFragments, MultiplyRefineAndDivide)
{
  if constexpr (device_is_host) {
    // A warp has several tiles, and a team has them by turns with another one.
    expect_kernels<LayoutLeft, 1>(410, 5);
    expect_kernels<LayoutRight, 1>(320, 8, 2);
    expect_kernels<LayoutTiled<32>, 1>(300, 7, 2);
    expect_kernels<LayoutLeft, 2>(40, 16);
    expect_kernels<LayoutLeft, 3>(33, 23);
    expect_kernels<LayoutLeft, 4>(40, 32);
    expect_kernels<LayoutLeft, 4>(1, 29);
    expect_kernels<LayoutRight, 1>(20, 1);
    expect_kernels<LayoutRight, 4>(40, 27);
    expect_kernels<LayoutTiled<32>, 2>(40, 9);
    expect_kernels<LayoutTiled<32>, 4>(40, 31);
  }
}

TEST(MgsFragments, DoNothingWhereAFactorIsRefused)
{
  if constexpr (device_is_host) {
    using A = PaddedRows<LayoutLeft>::A;
    PaddedRows<LayoutLeft> rows(20, 8);
    std::vector<double> partials(64, 7);
    auto inverses = some_inverse(8, 0);
    inverses.insert(inverses.end(), inverses.begin(), inverses.end());
    double const refused = 1;
    using Refine = FragmentRefine<A, 1>;
    testing::run_on_threads<Refine::members>(
        1, Refine(rows.span(), 20, 8, inverses.data(), &refused, partials.data(), 1),
        Refine::scratch_bytes);
    EXPECT_EQ(partials, std::vector<double>(64, 7));
    using Quotient = FragmentQuotient<A, 1>;
    testing::run_on_threads<Quotient::members>(
        1, Quotient(rows.span(), 20, 8, inverses.data(), &refused, 1));
    for (index_t i = 0; i < 20; ++i)
      for (index_t k = 0; k < 8; ++k)
        EXPECT_EQ(rows.span()(i, k), PaddedRows<LayoutLeft>::number(i, k));
  }
}

TEST(MgsFragments, FactorAndInvert)
{
  for (index_t const columns : {1, 7, 8, 31, 32}) {
    if (!device_is_host)
      break;
    // UᵀU of U with 1 on the diagonal and -0.1 above it, columns scaled.
    auto const u = [](index_t j, index_t k) {
      return j > k ? 0 : (j == k ? 1 : -0.1) * std::pow(10, k % 5 - 2);
    };
    std::vector<double> products(slot_of(columns * columns), NAN);
    for (index_t j = 0; j < columns; ++j)
      for (index_t k = j; k < columns; ++k) {
        double sum = 0;
        for (index_t l = 0; l <= j; ++l)
          sum += u(l, j) * u(l, k);
        products[slot_of(j * columns + k)] = sum;
      }
    std::vector<double> factors(slot_of(most_tile_columns * most_tile_columns), NAN);
    std::vector<double> diagonals(slot_of(most_tile_columns), NAN);
    std::vector<double> r(slot_of(columns * columns), NAN);
    std::vector<double> inverse(slot_of(most_tile_columns * most_tile_columns), NAN);
    double repeats = NAN;
    TileMemory const memory{factors.data(), diagonals.data(), products.data(),
                            nullptr,        &repeats,         most_tile_columns};
    TileFactor const factor{.panel = {0, columns}, .rest = {columns, 0}, .first = true};
    TileFactorKernel const kernel{factor, memory, r.data(), columns, 1000, 100};
    testing::run_on_threads<64>(1, InverseFactor{kernel, inverse.data()},
                                InverseFactor::scratch_bytes);
    EXPECT_EQ(repeats, 0);
    for (index_t j = 0; j < most_tile_columns; ++j)
      for (index_t k = 0; k < most_tile_columns; ++k) {
        double product = 0; // of U and its inverse
        for (index_t l = j; l <= k && k < columns; ++l)
          product += factors[slot_of(j * most_tile_columns + l)] *
                     inverse[slot_of(l * most_tile_columns + k)];
        double const one = j == k ? 1 : 0;
        bool const inside = j <= k && k < columns;
        ASSERT_NEAR(inside ? product : inverse[slot_of(j * most_tile_columns + k)],
                    inside ? one : 0, 1e-12)
            << columns << ": " << j << ' ' << k;
        if (inside) {
          ASSERT_NEAR(r[slot_of(j * columns + k)], u(j, k), 1e-12 * std::pow(10, k % 5 - 2));
        }
      }
  }
}

TEST(MgsFragments, CountThreeReadsAndOneWriteOfManyRows)
{
  constexpr index_t rows = 1 << 17;
  ASSERT_TRUE(inverses_are_faster(rows, 32));
  Counter counter(rows, 32, deferred_steps, 0, true);
  cholesky_twice(counter, 32);
  EXPECT_EQ(counter.work().bytes_read, 3 * rows * 32 * 8);
  EXPECT_EQ(counter.work().bytes_written, rows * 32 * 8);
  EXPECT_EQ(counter.allreduces(), 2);
}

TEST(MgsFragments, CasesOfManyRowsPassForEveryNumberOfColumns)
{
  if (!has_fragments(1))
    GTEST_SKIP() << "this device does not divide by inverses of small factors";
  // Several layouts share memory, so that one's padding has another one's numbers.
  for (index_t columns = 1; columns <= most_tile_columns; ++columns)
    for (int const steps : {1, 2}) {
      index_t rows = 8992 + 977 * (columns % 5); // of whole tiles, too
      while (!inverses_are_faster(rows, columns))
        rows += 8192;
      auto config = everything(rows, columns);
      config.algorithm = {"cholesky2"};
      config.variant = {"span"};
      config.results = {"device"};
      config.scalar = {"double"};
      auto const all = cases(config, setting_of(runtime::Communicator::self()));
      driver::Workspace workspace;
      for (auto const& one : all)
        workspace.reserve(one.slots);
      std::vector<std::unique_ptr<driver::Trial>> trials;
      for (auto const& one : all)
        trials.push_back(one.make(workspace));
      for (std::size_t n = 0; n < all.size(); ++n) {
        testing::take_steps(*trials[n], steps);
        EXPECT_TRUE(testing::passes(*trials[n], steps))
            << all[n].label << ' ' << rows << " x " << columns << " after " << steps;
      }
    }
}

} // namespace

} // namespace strata::mgs
