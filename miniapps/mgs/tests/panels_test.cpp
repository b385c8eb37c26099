#include "panels/keep_products.hpp"
#include "panels/pack_panels.hpp"
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
constexpr index_t column_count = 90;

std::vector<double> panel_numbers()
{
  std::vector<double> values(static_cast<std::size_t>(padded(row_count) * column_count));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<double>(n * 7919 % 1013) / 1013 - 0.5;
  return values;
}

std::vector<PanelPair> pairs()
{
  return {{{0, 32}, {32, 58}}, {{0, 64}, {64, 26}}, {{3, 5}, {8, 1}}, {{0, 33}, {40, 32}}};
}

template <class A>
std::vector<double> expected_products(A const& a, PanelPair const& of)
{
  std::vector<double> sums(static_cast<std::size_t>(of.count()), 0);
  for (index_t l = 0; l < of.left.count; ++l)
    for (index_t r = 0; r < of.right.count; ++r)
      for (index_t row = 0; row < row_count; ++row)
        sums[static_cast<std::size_t>(of.at(l, r))] +=
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
        wanted -=
            before(row, of.left.first + l) * products[static_cast<std::size_t>(of.at(l, r))];
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

TEST(MgsPanels, AddASecondProjectionToR)
{
  PanelPair const of{{1, 2}, {4, 2}};
  constexpr index_t pitch = 8;
  std::vector<double> products(static_cast<std::size_t>(of.count()));
  std::vector<double> r(6 * pitch, 0);
  auto const at = [&](index_t j, index_t k) -> double& {
    return r[static_cast<std::size_t>(j * pitch + k)];
  };
  at(4, 4) = 2, at(4, 5) = 3, at(5, 5) = 5;
  for (index_t l = 0; l < 2; ++l)
    for (index_t c = 0; c < 2; ++c)
      products[static_cast<std::size_t>(of.at(l, c))] = static_cast<double>(1 + l + 10 * c);
  for (bool const again : {false, true})
    for (index_t item = 0; item < 4; ++item)
      KeepProducts{of, products.data(), r.data(), pitch, again}(item);
  EXPECT_EQ(at(1, 4), 1 + 1 * 2);
  EXPECT_EQ(at(1, 5), 11 + 1 * 3 + 11 * 5);
  EXPECT_EQ(at(2, 4), 2 + 2 * 2);
  EXPECT_EQ(at(2, 5), 12 + 2 * 3 + 12 * 5);
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
    PanelPair const of{{0, 32}, {32, 58}};
    std::vector<double> products(static_cast<std::size_t>(of.count()));
    std::vector<double> partials(static_cast<std::size_t>(
        PackPanelProducts<Numbers>::parts(row_count, of.blocks()) * of.count()));
    Counter count(row_count, column_count);
    count.project(of.left, of.right, false);
    index_t read = bytes_read_by(PackPanelProducts<Numbers>(a, row_count, of, partials.data()));
    EXPECT_EQ(testing::Touches::bytes_written(), 0);
    read += bytes_read_by(PackPanelUpdate<Numbers>(a, row_count, of, products.data()));
    EXPECT_EQ(count.work().bytes_read, read);
    EXPECT_EQ(count.work().bytes_written, testing::Touches::bytes_written());
  }
}

} // namespace

} // namespace strata::mgs
