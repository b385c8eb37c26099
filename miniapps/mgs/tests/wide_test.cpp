#include "panels/panels.hpp"
#include "rows/row_launches.hpp"
#include "testing/thread_team.hpp"
#include "trials/counter.hpp"
#include "wide/wide_factor.hpp"
#include "wide/wide_products.hpp"
#include "wide/wide_quotient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

// The kernels of all columns at once against sums in order, by threads that take turns.

namespace strata::mgs {

namespace {

constexpr index_t row_count = 307;

std::size_t at(index_t place)
{
  return static_cast<std::size_t>(place);
}

/// Numbers of an array of so many columns, and a span of them.
template <class Layout>
struct Numbers
{
  using A = Span<double, Dynamic<2>, Layout>;
  explicit Numbers(index_t rows, index_t columns)
      : mapping(Dynamic<2>(padded(rows), columns))
      , values(at(mapping.required_span_size()))
  {
    for (std::size_t n = 0; n < values.size(); ++n)
      values[n] = static_cast<double>(n * 7919 % 1013) / 1013 - 0.5;
  }
  A span() { return A(values.data(), mapping); }

  typename A::mapping_type mapping;
  std::vector<double> values;
};

TEST(MgsWide, SharesHaveEveryBlockOnce)
{
  for (int strips = 1; strips <= Triangle::most_strips; ++strips) {
    auto const shares = Shares::make({strips});
    EXPECT_LE(shares.slices * shares.of_slice, Shares::warps);
    std::vector<int> found(at(strips * 2 * strips), 0);
    int most = 0;
    int all = 0;
    for (int n = 0; n < shares.of_slice; ++n) {
      auto const& share = shares.of[n];
      most = std::max(most, share.count);
      all += share.count;
      for (int block = 0; block < share.count; ++block) {
        int const s = block < share.split ? 0 : 1;
        int const unit = share.unit[s] + block - s * share.split;
        ASSERT_LT(unit, 2 * strips);
        ++found[at(share.strip[s] * 2 * strips + unit)];
      }
    }
    for (int strip = 0; strip < strips; ++strip)
      for (int unit = 0; unit < 2 * strips; ++unit)
        EXPECT_EQ(found[at(strip * 2 * strips + unit)], unit >= 2 * strip ? 1 : 0)
            << strips << ' ' << strip << ' ' << unit;
    EXPECT_LE(most, Shares::most_blocks);
    EXPECT_LE(most, all / shares.of_slice + 2) << "no warp waits long for another one";
  }
}

TEST(MgsWide, BlocksOfATriangleFollowEachOther)
{
  Triangle const triangle{5};
  int next = 0;
  for (int down = 0; down < 5; ++down)
    for (int across = down; across < 5; ++across)
      EXPECT_EQ(triangle.block(down, across), next++);
  EXPECT_EQ(next, triangle.blocks());
  EXPECT_EQ(triangle.at(17, 35), (triangle.block(1, 2) * 16 + 1) * 16 + 3);
}

/// By `teams` teams.
template <class Layout>
void expect_products(index_t rows, index_t columns, index_t teams)
{
  using Products = WideProducts<typename Numbers<Layout>::A>;
  Numbers<Layout> numbers(rows, columns);
  auto const a = numbers.span();
  auto const triangle = Triangle::of(columns);
  std::vector<double> partials(at(teams * 4 * triangle.size()), NAN);
  Products const kernel(a, rows, columns, partials.data(), teams);
  testing::run_on_threads<Products::members>(teams, kernel, Products::scratch_bytes);
  for (int j = 0; j < triangle.columns(); ++j)
    for (int k = j; k < triangle.columns(); ++k) {
      double found = 0;
      for (index_t part = 0; part < kernel.parts(); ++part)
        found += partials[at(part * triangle.size() + triangle.at(j, k))];
      double wanted = 0;
      for (index_t row = 0; row < rows && k < columns; ++row)
        wanted += a(row, j) * a(row, k);
      ASSERT_NEAR(found, wanted, 1e-12) << columns << ": " << j << ' ' << k;
    }
}

/// U⁻¹ of any numbers, with nothing in what pads the last strip.
std::vector<double> some_inverse(index_t columns)
{
  auto const triangle = Triangle::of(columns);
  std::vector<double> inverse(at(triangle.size()), 0);
  for (int j = 0; j < columns; ++j)
    for (int k = j; k < columns; ++k)
      inverse[at(triangle.at(j, k))] = static_cast<double>((j * 31 + k * 17) % 23) / 23 - 0.5;
  return inverse;
}

template <class Layout>
void expect_quotient(index_t rows, index_t columns, index_t teams)
{
  using Quotient = WideQuotient<typename Numbers<Layout>::A>;
  Numbers<Layout> numbers(rows, columns);
  Numbers<Layout> before(rows, columns);
  auto const triangle = Triangle::of(columns);
  auto const inverse = some_inverse(columns);
  Quotient const kernel(numbers.span(), rows, columns, inverse.data(), teams);
  testing::run_on_threads<Quotient::members>(teams, kernel, Quotient::scratch_bytes);
  auto const found = numbers.span();
  auto const old = before.span();
  for (index_t row = 0; row < padded(rows); ++row)
    for (int column = 0; column < columns; ++column) {
      bool const pads = row >= rows && row < (rows + 15) / 16 * 16;
      if (pads && found(row, column) == 0)
        continue; // else it is as it was
      double wanted = row < rows ? 0 : old(row, column);
      for (int k = 0; k <= column && row < rows; ++k)
        wanted += old(row, k) * inverse[at(triangle.at(k, column))];
      ASSERT_NEAR(found(row, column), wanted, 1e-12) << columns << ": " << row << ' ' << column;
    }
}

template <class Layout>
void expect_both(index_t rows, index_t columns, index_t teams)
{
  expect_products<Layout>(rows, columns, teams);
  expect_quotient<Layout>(rows, columns, teams);
}

TEST(MgsWide, MultiplyAndDivide)
{
  if constexpr (device_is_host) {
    // With so few columns a team has a tile of 128 rows at a time.
    expect_both<LayoutLeft>(row_count, 35, 1);
    expect_both<LayoutLeft>(row_count, 64, 2);
    expect_both<LayoutLeft>(row_count, 100, 2);
    expect_both<LayoutLeft>(row_count, 208, 1); // tile after tile in the same scratch memory
    for (index_t const rows : {1, 2, 16, 33})   // of a rank that has few
      expect_both<LayoutLeft>(rows, 81, 1);
    expect_both<LayoutRight>(row_count, 33, 2);
    expect_both<LayoutRight>(row_count, 81, 2);
    expect_both<LayoutTiled<32>>(row_count, 33, 2);
    expect_both<LayoutTiled<32>>(row_count, 81, 2);
  }
}

/// An upper triangular matrix of columns of several lengths, with `above` above the diagonal
/// and 1 on it before scaling.
double some_u(int row, int column, double above)
{
  double const norm = std::sqrt(1 + column * above * above);
  return row > column ? 0 : (row == column ? 1 : above) / norm * std::pow(10, column % 7 - 3);
}

struct Factored
{
  Triangle triangle;
  std::vector<double> products;
  std::vector<double> u;
  std::vector<double> inverse;
  double refused = NAN;
};

/// Of these products, by a team of three warps.
Factored factored(index_t columns, std::vector<double> const& products, double most_growth)
{
  Factored made{Triangle::of(columns), products, {}, {}, NAN};
  made.u.assign(products.size(), NAN);
  made.inverse.assign(products.size(), NAN);
  testing::run_on_threads<96>(1,
                              WideFactor{columns, made.products.data(), made.u.data(),
                                         made.inverse.data(), most_growth, &made.refused},
                              WideFactor::scratch_bytes);
  return made;
}
/// Of UᵀU with U of some_u.
Factored factored(index_t columns, double above, double most_growth)
{
  auto const triangle = Triangle::of(columns);
  std::vector<double> products(at(triangle.size()), 0);
  for (int j = 0; j < columns; ++j)
    for (int k = j / Triangle::width * Triangle::width; k < columns; ++k)
      for (int l = 0; l <= std::min(j, k); ++l)
        products[at(triangle.at(j, k))] += some_u(l, j, above) * some_u(l, k, above);
  return factored(columns, products, most_growth);
}

TEST(MgsWide, FactorAndInvert)
{
  if constexpr (device_is_host)
    for (index_t const columns : {33, 64, 100}) {
      auto const found = factored(columns, -0.05, 1e9);
      auto const& triangle = found.triangle;
      EXPECT_EQ(found.refused, 0);
      for (int j = 0; j < triangle.columns(); ++j)
        for (int k = j / Triangle::width * Triangle::width; k < triangle.columns(); ++k) {
          double const one = j == k ? 1 : 0;
          double const wanted = j < columns && k < columns ? some_u(j, k, -0.05) : one;
          ASSERT_NEAR(found.u[at(triangle.at(j, k))], wanted, 1e-12 * std::fabs(wanted) + 1e-14)
              << j << ' ' << k;
          double product = 0; // of U and its inverse
          for (int l = j; l <= k; ++l)
            product += found.u[at(triangle.at(j, l))] * found.inverse[at(triangle.at(l, k))];
          ASSERT_NEAR(j <= k ? product : found.inverse[at(triangle.at(j, k))], one, 1e-11)
              << j << ' ' << k;
        }
    }
}

TEST(MgsWide, RefuseFactorsInWhichRoundingGrows)
{
  if constexpr (device_is_host) {
    EXPECT_EQ(factored(40, 0, 32).refused, 0);
    EXPECT_EQ(factored(40, 0.1, 32).refused, 0);
    // U's inverse has 1.5 to the power of 38, though no pivot is less than a twelfth of its
    // column's square.
    EXPECT_EQ(factored(40, -0.5, 32).refused, 1);
    EXPECT_EQ(factored(40, -0.5, 1e5).refused, 1);
    EXPECT_EQ(factored(40, -0.5, 1e9).refused, 0);
  }
}

TEST(MgsWide, RefuseProductsWithoutAFactor)
{
  if constexpr (device_is_host) {
    constexpr index_t columns = 40;
    auto const triangle = Triangle::of(columns);
    std::vector<double> products(at(triangle.size()), 0);
    for (int j = 0; j < columns; ++j)
      products[at(triangle.at(j, j))] = 1;
    EXPECT_EQ(factored(columns, products, 1e300).refused, 0);
    for (double const bad : {1.0, 2.0, static_cast<double>(NAN)}) { // of columns 3 and 20
      products[at(triangle.at(3, 20))] = bad;
      EXPECT_EQ(factored(columns, products, 1e300).refused, 1) << bad;
    }
  }
}

TEST(MgsWide, MakeRFromBothFactors)
{
  constexpr index_t columns = 37;
  constexpr index_t pitch = 40;
  auto const triangle = Triangle::of(columns);
  std::vector<double> first(at(triangle.size()));
  std::vector<double> second(at(triangle.size()));
  for (int j = 0; j < columns; ++j)
    for (int k = j; k < columns; ++k) {
      first[at(triangle.at(j, k))] = some_u(j, k, 0.3);
      second[at(triangle.at(j, k))] = some_u(j, k, -0.2);
    }
  for (bool const again : {false, true}) {
    std::vector<double> r(at(columns * pitch), 0);
    WideR const kernel{columns, second.data(), again ? first.data() : nullptr, r.data(), pitch};
    for (index_t item = 0; item < columns * columns; ++item)
      kernel(item);
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < columns; ++k) {
        double wanted = again ? 0 : some_u(j, k, -0.2);
        for (int l = j; again && l <= k; ++l)
          wanted += some_u(j, l, -0.2) * some_u(l, k, 0.3);
        EXPECT_NEAR(r[at(j * pitch + k)], wanted, 1e-10);
      }
  }
}

/// What cholesky_panels asks for, of a device that has all columns at once.
class Asked : public PanelOperations
{
public:
  explicit Asked(bool sound)
      : sound_(sound)
  {
  }
  [[nodiscard]] std::string const& calls() const { return calls_; }

  void multiply(PanelStep const&) override { calls_ += 'p'; }
  void factor(PanelStep const&) override {}
  void refine(PanelStep const&) override {}
  void repair(PanelStep const&) override {}
  void update(PanelStep const&, ColumnRange const&) override {}
  [[nodiscard]] bool has_all_at_once() const override { return true; }
  void multiply_all() override { calls_ += 'm'; }
  bool factor_all(bool again) override
  {
    calls_ += again ? 'F' : 'f';
    return sound_;
  }
  void divide_all() override { calls_ += 'd'; }

private:
  bool sound_;
  std::string calls_;
};

TEST(MgsWide, GoByPanelsWhereAFactorIsRefused)
{
  Asked sound(true);
  cholesky_panels(sound, 64);
  EXPECT_EQ(sound.calls(), "mfdmFd");
  Asked refused(false);
  cholesky_panels(refused, 64);
  EXPECT_EQ(refused.calls(), "mfpp"); // the columns are as they were
}

TEST(MgsWide, CountFourReadsAndTwoWritesOfAllColumns)
{
  constexpr index_t columns = 100;
  Counter counter(row_count, columns, deferred_steps, 0, true);
  cholesky_panels(counter, columns);
  EXPECT_EQ(counter.work().bytes_read, 4 * row_count * columns * 8);
  EXPECT_EQ(counter.work().bytes_written, 2 * row_count * columns * 8);
  EXPECT_EQ(counter.work().flops, 2 * row_count * columns * (2 * columns + 1));
  EXPECT_EQ(counter.allreduces(), 2);
}

} // namespace

} // namespace strata::mgs
