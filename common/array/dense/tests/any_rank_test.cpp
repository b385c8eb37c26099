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

void fill(CArray<double, DeviceSpace> const& c)
{
  auto const in_kernel = c.write();
  for_each(
      "strata::test::fill", c.array<2>().extents(),
      KOKKOS_LAMBDA(int i, int j) { in_kernel(i, j) = 10 * i + j; });
}

TEST(AnyRank, IsAnArrayOfItsRank)
{
  CArray<double, DeviceSpace> const c("strata::test::c", 5, 7);
  fill(c);
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
  EXPECT_DEATH((void)m(0, 1), "index out of bounds");
  EXPECT_DEATH((void)m(1, 4), "index out of bounds");
  EXPECT_DEATH((void)m(1), "wrong number of indices");
}
#endif

} // namespace

} // namespace strata
