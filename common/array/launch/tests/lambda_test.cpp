#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "array/launch/lambda.hpp"
#include "array/tests/on_host.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace strata {

namespace {

// Device lambdas may not be written in a test's own function, which is private.

template <class Layout>
void fill(Array<double, Dynamic<2>, Layout> const& a)
{
  auto const s = a.write();
  for_each(
      "strata::test::fill", a.extents(), KOKKOS_LAMBDA(int i, int j) { s(i, j) = i + 10 * j; });
}

template <class Layout>
double sum(Array<double, Dynamic<2>, Layout> const& a)
{
  auto const s = a.read();
  return reduce(
      "strata::test::sum", a.extents(),
      KOKKOS_LAMBDA(int i, int j, double& sum) { sum += s(i, j); });
}

template <class Layout>
void expect_every_element_once()
{
  Array<double, Dynamic<2>, Layout> const a("strata::test::a", 20, 41);
  fill(a);
  auto const values = test::on_host(a);
  for (index_t i = 0; i < 20; ++i)
    for (index_t j = 0; j < 41; ++j)
      EXPECT_EQ(values(i, j), static_cast<double>(i + 10 * j));
  EXPECT_EQ(sum(a), 41 * 190 + 20 * 8200);
}

TEST(Lambda, IsLaunchedOverExtents)
{
  expect_every_element_once<LayoutRight>();
  expect_every_element_once<LayoutLeft>();
}

TEST(Lambda, NamesItsLaunch)
{
  Array<double, Dynamic<2>> const a("strata::test::a", 3, 2);
  testing::Listener const listener;
  fill(a);
  sum(a);
  EXPECT_EQ(listener.launches(),
            (std::vector<std::string>{"strata::test::fill", "strata::test::sum"}));
}

index_t sum_of_squares(index_t count)
{
  return reduce(
      "strata::test::squares", count,
      KOKKOS_LAMBDA(index_t i, index_t & sum) { sum += i * i; });
}

double crossed_sum(Array<double, Dynamic<2>, LayoutRight> const& a)
{
  auto const s = a.read();
  return reduce(
      "strata::test::crossed", in_order_of<LayoutLeft>(a.extents()),
      KOKKOS_LAMBDA(int i, int j, double& sum) { sum += s(i, j); });
}

TEST(Lambda, IsLaunchedOverCountsAndWalks)
{
  EXPECT_EQ(sum_of_squares(101), 338350);
  EXPECT_EQ(sum_of_squares(0), 0);
  Array<double, Dynamic<2>, LayoutRight> const a("strata::test::a", 20, 41);
  fill(a);
  EXPECT_EQ(crossed_sum(a), sum(a));
}

/// S1 Fig 4 as written: mass-weighted sums of coordinates, with a type, a start and a join of
/// its own.
struct CentreOfMass
{
  struct value_type
  {
    double total[4];
  };
  Span<double const, Dynamic<1>> mass;
  Span<double const, Dynamic<2>> coord;

  KOKKOS_FUNCTION void operator()(int p, value_type& update) const
  {
    double const m = mass(p);
    for (int d = 0; d < 3; ++d)
      update.total[d] += m * coord(p, d);
    update.total[3] += m;
  }
  static KOKKOS_FUNCTION void join(value_type& update, value_type const& input)
  {
    for (int k = 0; k < 4; ++k)
      update.total[k] += input.total[k];
  }
  static KOKKOS_FUNCTION void init(value_type& output)
  {
    for (double& total : output.total)
      total = 0;
  }
};

void place(Array<double, Dynamic<1>> const& mass, Array<double, Dynamic<2>> const& coord)
{
  auto const m = mass.write();
  auto const x = coord.write();
  for_each(
      "strata::test::place", 50, KOKKOS_LAMBDA(int p) {
        m(p) = 2;
        for (int d = 0; d < 3; ++d)
          x(p, d) = p + d;
      });
}

TEST(Lambda, MayBeAFunctorThatJoins)
{
  Array<double, Dynamic<1>> const mass("strata::test::mass", 50);
  Array<double, Dynamic<2>> const coord("strata::test::coord", 50, 3);
  place(mass, coord);
  auto const found = reduce("strata::test::centre", 50, CentreOfMass{mass, coord});
  EXPECT_EQ(found.total[0], 2 * 1225);
  EXPECT_EQ(found.total[1], 2 * (1225 + 50));
  EXPECT_EQ(found.total[2], 2 * (1225 + 100));
  EXPECT_EQ(found.total[3], 100);
}

/// What is no sum at +=: the greatest, by its own start and join.
struct Greatest
{
  using value_type = double;
  Span<double const, Dynamic<2>> values;

  KOKKOS_FUNCTION void operator()(int i, int j, double& greatest) const
  {
    greatest = values(i, j) > greatest ? values(i, j) : greatest;
  }
  static KOKKOS_FUNCTION void join(double& greatest, double const& other)
  {
    greatest = other > greatest ? other : greatest;
  }
  static KOKKOS_FUNCTION void init(double& greatest) { greatest = -1e300; }
};

void fill_below_zero(Array<double, Dynamic<2>> const& a)
{
  auto const s = a.write();
  for_each(
      "strata::test::fill", a.extents(),
      KOKKOS_LAMBDA(int i, int j) { s(i, j) = -1 - i - 10 * j; });
}

TEST(Lambda, JoinsWhatIsNoSum)
{
  Array<double, Dynamic<2>> const a("strata::test::a", 20, 41);
  fill_below_zero(a);
  EXPECT_EQ(reduce("strata::test::greatest", a.extents(), Greatest{a}), -1);
}

TEST(Lambda, LeavesWhatItJoinsOnTheDevice)
{
  Array<double, Dynamic<2>> const a("strata::test::a", 20, 41);
  fill_below_zero(a);
  test::Scalar const result("strata::test::result", Extents<index_t>());
  reduce("strata::test::greatest", a.extents(), Greatest{a}, result);
  EXPECT_EQ(test::on_host(result)(), -1);
  reduce("strata::test::greatest_in_a_span", a.extents(), Greatest{a}, result.write());
  EXPECT_EQ(test::on_host(result)(), -1);
}

void sum_and_use(test::Scalar const& result, test::Vector<double> const& after)
{
  reduce("strata::test::sum", 100, KOKKOS_LAMBDA(int i, double& sum) { sum += i; }, result);
  auto const out = after.write();
  auto const in = result.read();
  for_each("strata::test::use", after.size(), KOKKOS_LAMBDA(int i) { out(i) = in() + i; });
}

TEST(Lambda, LeavesItsSumOnTheDevice)
{
  test::Scalar const result("strata::test::result", Extents<index_t>());
  test::Vector<double> const after("strata::test::after", 10);
  sum_and_use(result, after);
  EXPECT_EQ(test::on_host(after)(9), 4959);
}

/// values(i) = i (1000 - i) - 7
void fill_with(Array<int, Dynamic<1>> const& values)
{
  auto const out = values.write();
  for_each(
      "strata::test::values", values.extents(),
      KOKKOS_LAMBDA(int i) { out(i) = i * (1000 - i) - 7; });
}

template <class Found>
Found found_of(Array<int, Dynamic<1>> const& values)
{
  auto const in = values.read();
  return reduce(
      "strata::test::extreme", values.extents(),
      KOKKOS_LAMBDA(int i, Found& found) { found += in(i); });
}

TEST(Lambda, FindsTheGreatestAndTheLeast)
{
  Array<int, Dynamic<1>> const values("strata::test::values", 1001);
  fill_with(values);
  EXPECT_EQ(found_of<Maximum<int>>(values).value, 250000 - 7);
  EXPECT_EQ(found_of<Minimum<int>>(values).value, -7);
  Array<int, Dynamic<1>> const none("strata::test::none", 0);
  EXPECT_EQ(found_of<Maximum<int>>(none).value, std::numeric_limits<int>::lowest());
}

} // namespace

} // namespace strata
