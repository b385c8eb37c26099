#include "array/dense/copy.hpp"
#include "array/launch/for_each.hpp"
#include "verify/compare.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace strata::verify {

namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(RelativeError, IsRelativeToWhatIsExpected)
{
  EXPECT_EQ(relative_error(3, 2), 0.5);
  EXPECT_EQ(relative_error(1, 2), 0.5);
  EXPECT_EQ(relative_error(-1, -2), 0.5);
  EXPECT_EQ(relative_error(0.25, 0), 0.25);
  EXPECT_EQ(relative_error(7, 7), 0);
}

TEST(RelativeError, IsNoNumberWhereAValueIsNone)
{
  for (double const value : {infinite, -infinite}) {
    EXPECT_EQ(relative_error(value, 1), infinite);
    EXPECT_EQ(relative_error(value, 0), infinite);
    EXPECT_FALSE(relative_error(1, value) <= largest);
  }
  EXPECT_TRUE(std::isnan(relative_error(nan, 1)));
  EXPECT_TRUE(std::isnan(relative_error(1, nan)));
  EXPECT_TRUE(std::isnan(relative_error(nan, nan)));
}

TEST(Worse, KeepsANaNInAnyOrder)
{
  EXPECT_EQ(worse(1, 2), 2);
  EXPECT_EQ(worse(2, 1), 2);
  EXPECT_EQ(worse(largest, infinite), infinite);
  for (double const other : {0.0, 1.0, infinite, nan}) {
    EXPECT_TRUE(std::isnan(worse(nan, other)));
    EXPECT_TRUE(std::isnan(worse(other, nan)));
  }
}

struct OneNaN
{
  static constexpr char const* name() { return "strata::test::OneNaN"; }
  index_t where;
  KOKKOS_FUNCTION void operator()(Worst& worst, index_t i) const
  {
    worst += i == where ? nan : static_cast<double>(i);
  }
};

TEST(Worst, KeepsANaNOfAnyWorkItem)
{
  constexpr index_t count = 50'021;
  for (index_t const where : {index_t{0}, index_t{777}, count / 2, count - 1})
    EXPECT_TRUE(std::isnan(sum_of_every<Worst>(count, OneNaN{where}).value)) << where;
  EXPECT_EQ(sum_of_every<Worst>(count, OneNaN{-1}).value, count - 1);
}

struct Place
{
  static constexpr char const* name() { return "strata::test::Place"; }
  KOKKOS_FUNCTION double operator()(index_t i, index_t j, index_t k) const
  {
    return static_cast<double>(1 + (i * 7 + j) * 5 + k);
  }
};

template <class Values>
struct SetPlace
{
  static constexpr char const* name() { return "strata::test::SetPlace"; }
  Values values;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const
  {
    values(i, j, k) = Place{}(i, j, k);
  }
};

/// The largest error after `spoil` has been at the elements.
template <class Layout, class Spoil>
double error_after(Spoil const& spoil)
{
  Dynamic<3> const extents(13, 7, 5);
  Array<double, Dynamic<3>, Layout> const values("strata::test::values", extents);
  auto const mirror = host_mirror(values);
  auto const filled = mirror.write();
  // Padding holds what no check may look at.
  for (index_t i = 0; i < static_cast<index_t>(values.mapping().required_span_size()); ++i)
    mirror.data()[i] = nan;
  for_each<Host>(in_order_of<Layout>(extents), SetPlace<decltype(filled)>{filled});
  Kokkos::fence();
  spoil(filled);
  copy(values, mirror);
  return largest_error(values.read(), Place{});
}

template <class Layout>
void expect_found()
{
  EXPECT_EQ(error_after<Layout>([](auto const&) {}), 0);
  for (auto const& place : {std::array<index_t, 3>{0, 0, 0}, {6, 3, 2}, {12, 6, 4}}) {
    auto const at = [place](auto const& values) -> double& {
      return values(place[0], place[1], place[2]);
    };
    EXPECT_GT(error_after<Layout>([&](auto const& v) { at(v) *= 1 + 1e-15; }), 0);
    EXPECT_EQ(error_after<Layout>([&](auto const& v) { at(v) = 0; }), 1);
    EXPECT_TRUE(std::isnan(error_after<Layout>([&](auto const& v) { at(v) = nan; })));
  }
  EXPECT_GT(error_after<Layout>([](auto const& v) { std::swap(v(3, 4, 1), v(3, 4, 2)); }), 0);
  EXPECT_GT(error_after<Layout>([](auto const& v) { std::swap(v(3, 4, 1), v(4, 4, 1)); }), 0);
}

TEST(LargestError, FindsOneWrongValueInEveryLayout)
{
  expect_found<LayoutLeft>();
  expect_found<LayoutRight>();
  expect_found<LayoutTiled<8>>();
}

TEST(LargestError, OfNothingIsZero)
{
  Dynamic<3> const none(13, 0, 5);
  Array<double, Dynamic<3>, LayoutLeft> const values("strata::test::values", none);
  EXPECT_EQ(largest_error(values.read(), Place{}), 0);
}

} // namespace

} // namespace strata::verify
