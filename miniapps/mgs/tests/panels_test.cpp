#include "panels/pack_panels.hpp"
#include "panels/panel_pass.hpp"
#include "panels/panel_solves.hpp"
#include "panels/warp_panels.hpp"
#include "rows/add_parts.hpp"
#include "rows/row_launches.hpp"
#include "testing/thread_team.hpp"
#include "testing/touched.hpp"
#include "trials/counter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

// The kernels of panels against sums in order; a GPU's by threads that take turns.

namespace strata::mgs {

namespace {

constexpr index_t row_count = 323;
constexpr index_t column_count = 140;

std::vector<double> panel_numbers()
{
  std::vector<double> values(static_cast<std::size_t>(padded(row_count) * column_count));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<double>(n * 7919 % 1013) / 1013 - 0.5;
  return values;
}

std::vector<PanelPair> pairs()
{
  return {{{0, 32}, {32, 58}}, {{3, 5}, {8, 1}}, {{2, 32}, {34, 100}}, {{0, 31}, {40, 32}}};
}

template <class A>
std::vector<double> expected_products(A const& a, PanelPair const& of)
{
  std::vector<double> sums(static_cast<std::size_t>(of.count()), 0);
  for (index_t l = 0; l < of.left.count; ++l)
    for (index_t r = 0; r < of.right.count; ++r)
      for (index_t row = 0; row < row_count; ++row)
        sums[static_cast<std::size_t>(PanelPair::at(l, r))] +=
            a(row, of.left.first + l) * a(row, of.right.first + r);
  return sums;
}

template <class A>
void expect_update(A const& found, A const& before, PanelPair const& of,
                   std::vector<double> const& products)
{
  for (index_t row = 0; row < row_count; ++row)
    for (index_t column = 0; column < column_count; ++column) {
      double wanted = before(row, column);
      index_t const r = column - of.right.first;
      for (index_t l = 0; r >= 0 && r < of.right.count && l < of.left.count; ++l)
        wanted -= before(row, of.left.first + l) *
                  products[static_cast<std::size_t>(PanelPair::at(l, r))];
      ASSERT_NEAR(found(row, column), wanted, 1e-11) << row << ' ' << column;
    }
}

/// `parts_of(blocks)` is how many parts products have; `multiply` and `update` run the kernels
/// that they make of an array, a pair of panels and memory.
template <class Layout, class PartsOf, class Multiply, class Update>
void expect_panels(PartsOf const& parts_of, Multiply const& multiply, Update const& update)
{
  using Numbers = Span<double, Dynamic<2>, Layout>;
  typename Numbers::mapping_type const mapping(Dynamic<2>(padded(row_count), column_count));
  auto before = panel_numbers();
  before.resize(static_cast<std::size_t>(mapping.required_span_size()));
  Numbers const old(before.data(), mapping);
  for (auto const& of : pairs()) {
    auto values = before;
    Numbers const a(values.data(), mapping);
    std::vector<double> partials(static_cast<std::size_t>(parts_of(of.blocks()) * of.count()),
                                 NAN);
    multiply(a, of, partials.data());
    std::vector<double> products(static_cast<std::size_t>(of.count()));
    for (std::size_t n = 0; n < partials.size(); ++n)
      products[n % products.size()] += partials[n];
    auto const wanted = expected_products(old, of);
    for (std::size_t n = 0; n < products.size(); ++n)
      ASSERT_NEAR(products[n], wanted[n], 1e-11) << n;
    update(a, of, products.data());
    expect_update(a, old, of, products);
  }
}

template <class Layout>
void expect_of_a_host()
{
  using A = Span<double, Dynamic<2>, Layout>;
  auto const run = [](auto const& kernel) -> void {
    for_each_team<1>(kernel.teams(), kernel);
    Kokkos::fence();
  };
  expect_panels<Layout>(
      [](index_t blocks) { return PackPanelProducts<A>::parts(row_count, blocks); },
      [&](A const& a, PanelPair const& of, double* partials) {
        run(PackPanelProducts<A>(a, row_count, of, partials));
      },
      [&](A const& a, PanelPair const& of, double const* products) {
        run(PackPanelUpdate<A>(a, row_count, of, products));
      });
}

/// By more than one team for each block, which a host would not make of itself.
template <class Layout>
void expect_of_a_gpu()
{
  using A = Span<double, Dynamic<2>, Layout>;
  static constexpr index_t parts = 3;
  static constexpr index_t groups = 2;
  expect_panels<Layout>([](index_t) { return parts; },
                        [&](A const& a, PanelPair const& of, double* partials) {
                          WarpPanelProducts<A> const kernel(a, row_count, of, partials, parts);
                          testing::run_on_threads<WarpPanelProducts<A>::members>(kernel.teams(),
                                                                                 kernel);
                        },
                        [&](A const& a, PanelPair const& of, double const* products) {
                          WarpPanelUpdate<A> const kernel(a, row_count, of, products, groups);
                          testing::run_on_threads<WarpPanelUpdate<A>::members>(
                              kernel.teams(), kernel, WarpPanelUpdate<A>::scratch_bytes);
                        });
}

template <class Layout>
void expect_both()
{
  expect_of_a_host<Layout>();
  expect_of_a_gpu<Layout>();
}

TEST(MgsPanels, AreMultipliedAndUpdatedOnAGpuAndOnAHost)
{
  if constexpr (device_is_host) {
    expect_both<LayoutLeft>();
    expect_both<LayoutRight>();
    expect_both<LayoutTiled<32>>();
  }
}

/// Coefficients of any size for a panel and `rest` columns, as PanelPass has them in memory.
std::vector<double> some_coefficients(index_t rest)
{
  PanelPair const of{{0, panel_width}, {0, panel_width + rest}};
  std::vector<double> values(static_cast<std::size_t>(of.count()), NAN);
  for (index_t l = 0; l < panel_width; ++l)
    for (index_t r = 0; r < of.right.count; ++r)
      values[static_cast<std::size_t>(PanelPair::at(l, r))] =
          static_cast<double>((l * 31 + r * 17) % 23) / 23 - 0.5;
  return values;
}

template <class A>
void expect_pass(A const& found, A const& before, ColumnRange const& panel,
                 ColumnRange const& rest, std::vector<double> const& coefficients)
{
  PanelPair const of{panel, {panel.first, panel.count + rest.count}};
  for (index_t row = 0; row < row_count; ++row)
    for (index_t column = 0; column < column_count; ++column) {
      index_t const n = column - panel.first;
      double wanted = n >= panel.count || n < 0 ? before(row, column) : 0;
      for (index_t l = 0; n >= 0 && n < of.right.count && l < panel.count; ++l)
        wanted += before(row, panel.first + l) *
                  coefficients[static_cast<std::size_t>(PanelPair::at(l, n))];
      ASSERT_NEAR(found(row, column), wanted, 1e-11) << row << ' ' << column;
    }
}

/// Of three, two and one slices of rows a tile, by `teams` teams.
template <class Layout>
void expect_passes(index_t teams)
{
  using Numbers = Span<double, Dynamic<2>, Layout>;
  using Pass = PanelPass<Numbers>;
  typename Numbers::mapping_type const mapping(Dynamic<2>(padded(row_count), column_count));
  auto before = panel_numbers();
  before.resize(static_cast<std::size_t>(mapping.required_span_size()));
  Numbers const old(before.data(), mapping);
  ColumnRange const panel{2, panel_width};
  for (index_t const count : {1, 33, 70, 100}) {
    ColumnRange const rest{panel.first + panel.count, count};
    PanelPair const of{block_of(rest, 0), rest};
    auto values = before;
    Numbers const a(values.data(), mapping);
    auto const coefficients = some_coefficients(count);
    std::vector<double> partials(static_cast<std::size_t>(teams * 3 * of.count()), NAN);
    Pass const pass(a, row_count, panel, rest, coefficients.data(), partials.data(), teams);
    testing::run_on_threads<Pass::members>(pass.teams(), pass, Pass::scratch_bytes);
    expect_pass(a, old, panel, rest, coefficients);
    auto const size = static_cast<std::size_t>(of.count());
    std::vector<double> products(size);
    for (std::size_t n = 0; n < static_cast<std::size_t>(pass.parts()) * size; ++n)
      products[n % size] += partials[n];
    auto const wanted = expected_products(a, of);
    for (std::size_t n = 0; n < size; ++n)
      ASSERT_NEAR(products[n], wanted[n], 1e-10) << count << ' ' << n;
  }
}

TEST(MgsPanels, AreUpdatedAndMultipliedInOnePass)
{
  if constexpr (device_is_host) {
    expect_passes<LayoutLeft>(1); // whose scratch memory is used for tile after tile
    expect_passes<LayoutLeft>(2);
    expect_passes<LayoutRight>(2);
    expect_passes<LayoutTiled<32>>(2);
  }
}

/// An upper triangular matrix with a large diagonal.
double triangular(index_t row, index_t column)
{
  if (row > column)
    return 0;
  return row == column ? 2 + static_cast<double>(row % 3)
                       : static_cast<double>((row * 7 + column * 5) % 11) / 11 - 0.5;
}

TEST(MgsPanels, SolveTheSmallMatricesOfAStep)
{
  constexpr index_t rest = 3;
  constexpr index_t width = panel_width;
  constexpr index_t pitch = 48;
  constexpr index_t first = 1; // of the panel in R
  std::vector<double> u(width * width);
  std::vector<double> inverses(width);
  for (index_t j = 0; j < width; ++j) {
    inverses[static_cast<std::size_t>(j)] = 1 / triangular(j, j);
    for (index_t k = 0; k < width; ++k)
      u[static_cast<std::size_t>(j * width + k)] = triangular(j, k);
  }
  TileMemory const memory{u.data(), inverses.data(), nullptr, nullptr, nullptr, width};
  PanelPair const of{{first, width}, {first, width + rest}};
  auto const product = [](index_t j, index_t c) {
    return static_cast<double>((j * 3 + c * 13) % 17) / 17;
  };
  for (bool const again : {false, true}) {
    PanelStep const step{{first, width}, {first + width, rest}, again};
    std::vector<double> c(static_cast<std::size_t>(of.count()), NAN);
    std::vector<double> r((first + width + rest) * pitch);
    for (index_t n = 0; n < first + width + rest; ++n)
      for (index_t k = n; k < pitch; ++k)
        r[static_cast<std::size_t>(n * pitch + k)] = product(k, n);
    auto const r_before = r;
    for (index_t j = 0; j < width; ++j)
      for (index_t n = 0; n < rest; ++n)
        c[static_cast<std::size_t>(PanelPair::at(j, width + n))] = product(j, n);
    auto const at = [&](std::vector<double> const& values, index_t j, index_t k) {
      return values[static_cast<std::size_t>((first + j) * pitch + first + k)];
    };
    double const unwanted = 0;
    auto const untouched = c;
    SolveProducts{step, c.data(), memory, r.data(), pitch, &unwanted}(0);
    EXPECT_EQ(c[static_cast<std::size_t>(PanelPair::at(5, width))],
              untouched[static_cast<std::size_t>(PanelPair::at(5, width))]);
    for (index_t n = 0; n < rest; ++n)
      SolveProducts{step, c.data(), memory, r.data(), pitch}(n);
    for (index_t j = 0; j < width; ++j)
      for (index_t n = 0; n < rest; ++n) {
        double sum = 0; // (UᵀC)(j, n)
        double u_r = 0; // (U R)(j, n)
        for (index_t k = 0; k < width; ++k) {
          sum += triangular(k, j) * c[static_cast<std::size_t>(PanelPair::at(k, width + n))];
          u_r += triangular(j, k) * at(r_before, k, width + n);
        }
        EXPECT_NEAR(sum, product(j, n), 1e-13);
        EXPECT_NEAR(at(r, j, width + n),
                    again ? u_r : c[static_cast<std::size_t>(PanelPair::at(j, width + n))],
                    1e-13);
      }
    if (again) {
      auto const r_solved = r;
      for (index_t item = 0; item < width * rest; ++item)
        AddToFactor{step, c.data(), r.data(), pitch}(item);
      for (index_t j = 0; j < width; ++j)
        for (index_t n = 0; n < rest; ++n) {
          double wanted = at(r_solved, j, width + n);
          for (index_t b = 0; b <= n; ++b)
            wanted += c[static_cast<std::size_t>(PanelPair::at(j, width + b))] *
                      at(r_before, width + b, width + n);
          EXPECT_NEAR(at(r, j, width + n), wanted, 1e-13);
        }
    }
    std::vector<double> solved(static_cast<std::size_t>(of.count()), NAN);
    for (index_t n = 0; n < width + rest; ++n)
      SolveCoefficients{step, c.data(), memory, solved.data()}(n);
    for (index_t j = 0; j < width; ++j)
      for (index_t n = 0; n < width + rest; ++n) {
        double sum = 0; // U times the coefficients
        for (index_t k = j; k < width; ++k)
          sum += triangular(j, k) * solved[static_cast<std::size_t>(PanelPair::at(k, n))];
        double const one = j == n ? 1 : 0;
        EXPECT_NEAR(sum, n < width ? one : -c[static_cast<std::size_t>(PanelPair::at(j, n))],
                    1e-13);
      }
  }
}

template <class Kernel>
index_t bytes_read_by(Kernel const& kernel)
{
  testing::Touches::restart();
  for_each_team<1>(kernel.teams(), kernel);
  Kokkos::fence();
  return testing::Touches::bytes_read();
}

TEST(MgsPanels, MoveTheBytesThatAreCounted)
{
  if constexpr (device_is_host) {
    using Numbers = Span<double, Dynamic<2>, LayoutRight, testing::AccessTouched>;
    auto values = panel_numbers();
    Numbers const a(values.data(),
                    Numbers::mapping_type(Dynamic<2>(padded(row_count), column_count)));
    PanelStep const step{{0, 32}, {32, 58}};
    PanelStep const next{{32, 32}, {64, 26}};
    PanelPair const of{step.panel, step.all()};
    std::vector<double> products(static_cast<std::size_t>(of.count()));
    std::vector<double> partials(static_cast<std::size_t>(
        PackPanelProducts<Numbers>::parts(row_count, of.blocks()) * of.count()));
    Counter multiplied(row_count, column_count);
    multiplied.multiply(step);
    EXPECT_EQ(multiplied.work().bytes_read,
              bytes_read_by(PackPanelProducts<Numbers>(a, row_count, of, partials.data())));
    EXPECT_EQ(testing::Touches::bytes_written(), 0);
    // Beside the update itself: the panel's division and the next products.
    Counter others(row_count, column_count);
    others.pass({.panel = step.panel, .rest = {32, 0}, .divisors = {1}, .stores = true});
    others.multiply(next);
    Counter all(row_count, column_count);
    all.update(step, next.panel);
    EXPECT_EQ(all.work().bytes_read - others.work().bytes_read,
              bytes_read_by(PackPanelUpdate<Numbers>(a, row_count, {step.panel, step.rest},
                                                     products.data())));
    EXPECT_EQ(all.work().bytes_written - others.work().bytes_written,
              testing::Touches::bytes_written());
    // In one pass: each column once, with the same operations.
    Counter once(row_count, column_count, deferred_steps, step.rest.count);
    once.update(step, next.panel);
    EXPECT_EQ(once.work().bytes_read, row_count * 90 * 8);
    EXPECT_EQ(once.work().bytes_written, row_count * 90 * 8);
    EXPECT_EQ(once.work().flops, all.work().flops);
    EXPECT_EQ(once.allreduces(), 1);
  }
}

} // namespace

} // namespace strata::mgs
