#include "array/dense/any_rank.hpp"
#include "array/dense/copy.hpp"
#include "array/launch/lambda.hpp"
#include "array/span/subspan.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>
#include <vector>

namespace strata {

namespace {

static_assert(std::is_trivially_copyable_v<ViewCArray<double>>);
static_assert(std::is_convertible_v<ViewFMatrix<double>, ViewFMatrix<double const>>);
static_assert(!std::is_convertible_v<ViewFMatrix<double const>, ViewFMatrix<double>>);

TEST(AnyRank, CountsFromZeroInArraysAndFromOneInMatrices)
{
  CArray<double> const c(3, 4);
  FArray<double> const f(3, 4);
  CMatrix<double> const cm(3, 4);
  FMatrix<double> const fm(3, 4);
  EXPECT_EQ(&c(0, 0), c.pointer());
  EXPECT_EQ(&f(0, 0), f.pointer());
  EXPECT_EQ(&cm(1, 1), cm.pointer());
  EXPECT_EQ(&fm(1, 1), fm.pointer());
  // The second element along each index.
  EXPECT_EQ(&c(0, 1), c.pointer() + 1);
  EXPECT_EQ(&c(1, 0), c.pointer() + 4);
  EXPECT_EQ(&f(1, 0), f.pointer() + 1);
  EXPECT_EQ(&f(0, 1), f.pointer() + 3);
  EXPECT_EQ(&cm(1, 2), cm.pointer() + 1);
  EXPECT_EQ(&fm(2, 1), fm.pointer() + 1);
  EXPECT_EQ(&fm(3, 4), fm.pointer() + 11);
  EXPECT_EQ(c.dims(0), 3);
  EXPECT_EQ(c.dims(1), 4);
  EXPECT_EQ(fm.dims(1), 3);
  EXPECT_EQ(fm.dims(2), 4);
  EXPECT_EQ(c.order(), 2);
  EXPECT_EQ(c.size(), 12);
}

template <class A, class... I>
void expect_every_element(A const& a, I... last)
{
  static_assert(sizeof...(I) >= 1);
  EXPECT_EQ(&a(last...), a.pointer() + a.size() - 1);
}

TEST(AnyRank, HasOneToSevenIndices)
{
  expect_every_element(CArray<int>(5), 4);
  expect_every_element(FMatrix<int>(5), 5);
  expect_every_element(CArray<int>(2, 3, 4), 1, 2, 3);
  expect_every_element(FArray<int>(2, 3, 4, 5), 1, 2, 3, 4);
  expect_every_element(CMatrix<int>(2, 3, 4, 5, 6), 2, 3, 4, 5, 6);
  expect_every_element(FMatrix<int>(2, 3, 4, 5, 6, 2), 2, 3, 4, 5, 6, 2);
  expect_every_element(CArray<int>(2, 3, 4, 5, 2, 3, 2), 1, 2, 3, 4, 1, 2, 1);
  EXPECT_EQ(CArray<int>().size(), 0);
}

TEST(AnyRank, ViewsWhatLiesElsewhere)
{
  std::vector<double> values(24);
  ViewFMatrix<double> const all(values.data(), 4, 6);
  ViewFMatrix<double> const column(&all(1, 3), 4); // a view of a view
  column(2) = 7;
  EXPECT_EQ(values[2 * 4 + 1], 7);
  ViewFMatrix<double const> const reading = all;
  EXPECT_EQ(reading(2, 3), 7);
}

/// S5, Figures 9 and 10 and Listing 7: from any element on, in more or fewer dimensions.
TEST(AnyRank, ViewsAsManyDimensionsAsAreAskedFor)
{
  std::vector<int> values(20);
  ViewCArray<int> const cube(&values[5], 2, 2, 3);
  cube(1, 0, 2) = 8;
  EXPECT_EQ(values[5 + 6 + 2], 8);
  CMatrix<int> const square(3, 3);
  ViewCArray<int> const line(&square(1, 1), 9);
  line(5) = 7;
  EXPECT_EQ(square(2, 3), 7);
}

TEST(AnyRank, HasViewsOfEachOrderAndBase)
{
  std::vector<int> values(12);
  EXPECT_EQ(&ViewCArray<int>(values.data(), 3, 4)(1, 2), &values[6]);
  EXPECT_EQ(&ViewFArray<int>(values.data(), 3, 4)(1, 2), &values[7]);
  EXPECT_EQ(&ViewCMatrix<int>(values.data(), 3, 4)(2, 3), &values[6]);
  EXPECT_EQ(&ViewFMatrix<int>(values.data(), 3, 4)(2, 3), &values[7]);
}

/// a(first + i, first + j) = 10 i + j
template <class A>
void fill(A const& a, int first)
{
  auto const in_kernel = a.write();
  for_each(
      "strata::test::fill", a.template array<2>().extents(),
      KOKKOS_LAMBDA(int i, int j) { in_kernel(first + i, first + j) = 10 * i + j; });
}

template <class OnDevice, class OnHost>
void expect_filled(int first)
{
  OnDevice const device("strata::test::device", 5, 7);
  fill(device, first);
  OnHost const host(5, 7);
  copy(host.template array<2>(), device.template array<2>());
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j)
      EXPECT_EQ(host(first + i, first + j), 10 * i + j);
}

TEST(AnyRank, IsFilledOnTheDevice)
{
  expect_filled<CArray<double, DeviceSpace>, CArray<double>>(0);
  expect_filled<FArray<double, DeviceSpace>, FArray<double>>(0);
  expect_filled<CMatrix<double, DeviceSpace>, CMatrix<double>>(1);
  expect_filled<FMatrix<double, DeviceSpace>, FMatrix<double>>(1);
}

TEST(AnyRank, IsAnArrayOfItsRank)
{
  CArray<double, DeviceSpace> const c("strata::test::c", 5, 7);
  fill(c, 0);
  FArray<double> const f(5, 7);
  copy(f.array<2>(), c.array<2>());
  EXPECT_EQ(f(3, 4), 34);
  auto const row = subspan(f.write().span<2>(), 3, Range{2, 5});
  EXPECT_EQ(row(2), 34);
  EXPECT_THROW((void)f.array<3>(), std::invalid_argument);
  f.set_values(2);
  EXPECT_EQ(f(4, 6), 2);
}

#if defined(STRATA_BOUNDS_CHECK)
TEST(AnyRankDeathTest, StopsOutsideOfItsIndices)
{
  FMatrix<double> const m("strata::test::m", 3, 3);
  EXPECT_DEATH((void)m(0, 1), "array 'strata::test::m': index 1 is 0, outside .1, 4.");
  EXPECT_DEATH((void)m(1, 4), "index 2 is 4, outside .1, 4.");
  EXPECT_DEATH((void)m(1), "it has 2 indices and was given 1");
}
#endif

} // namespace

} // namespace strata
