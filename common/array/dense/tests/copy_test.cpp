#include "array/dense/copy.hpp"
#include "array/layout/symmetric.hpp"
#include "testing/fences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace strata {

namespace {

using Sides = Extents<index_t, dyn, 3, 5>;
Sides const extents(19);

template <class Layout>
typename Layout::template mapping<Sides> mapping_of()
{
  if constexpr (std::is_same_v<Layout, LayoutStride>)
    return {extents, {1, 24, 24 * 3 + 8}};
  else
    return typename Layout::template mapping<Sides>(extents);
}

double value_at(index_t i, index_t j, index_t k)
{
  return static_cast<double>((i * 3 + j) * 5 + k) + 0.25;
}

/// Fills on the host, copies to the device, there to another layout and back.
template <class From, class To>
void expect_copied()
{
  Array<double, Sides, From, HostSpace> const source("strata::test::source",
                                                     mapping_of<From>());
  auto const out = source.write();
  auto const visit = [](auto const& f) {
    for (index_t i = 0; i < extents.extent(0); ++i)
      for (index_t j = 0; j < 3; ++j)
        for (index_t k = 0; k < 5; ++k)
          f(i, j, k);
  };
  visit([&](index_t i, index_t j, index_t k) { out(i, j, k) = value_at(i, j, k); });
  Array<double, Sides, To> const there("strata::test::there", mapping_of<To>());
  Array<float, Sides, From> const narrowed("strata::test::narrowed", mapping_of<From>());
  Array<float, Sides, From, HostSpace> const back("strata::test::back", mapping_of<From>());
  copy(there, source);
  copy(narrowed, there);
  copy(back, narrowed);
  auto const in = back.read();
  visit([&](index_t i, index_t j, index_t k) {
    EXPECT_EQ(in(i, j, k), static_cast<float>(value_at(i, j, k)));
  });
}

TEST(Copy, KeepsEveryElementBetweenAllLayouts)
{
  auto const each = [](auto const& f) {
    f.template operator()<LayoutLeft>();
    f.template operator()<LayoutRight>();
    f.template operator()<LayoutTiled<8>>();
    f.template operator()<LayoutStride>();
  };
  each([&]<class From>() {
    each([]<class To>() {
      SCOPED_TRACE(std::string(typeid(From).name()) + " to " + typeid(To).name());
      expect_copied<From, To>();
    });
  });
}

template <class To, class From>
void expect_half_copied(bool lower)
{
  using Square = Dynamic<2>;
  Square const sides(13, 13);
  Array<double, Square, From, HostSpace> const source("strata::test::source", sides);
  auto const out = source.write();
  auto const value = [](index_t i, index_t j) { return static_cast<double>(100 * i + j); };
  for (index_t i = 0; i < 13; ++i)
    for (index_t j = 0; j <= i; ++j) {
      out(j, i) = value(j, i);
      out(i, j) = value(i, j);
    }
  Array<float, Square, To> const there("strata::test::there", sides);
  Array<double, Square, LayoutLeft, HostSpace> const back("strata::test::back", sides);
  copy(there, source);
  copy(back, there);
  auto const in = back.read();
  for (index_t i = 0; i < 13; ++i)
    for (index_t j = 0; j < 13; ++j) {
      index_t const low = std::min(i, j);
      index_t const high = std::max(i, j);
      EXPECT_EQ(in(i, j), lower ? value(high, low) : value(low, high)) << i << " " << j;
    }
}

TEST(Copy, TakesTheHalfThatASymmetricMatrixStores)
{
  expect_half_copied<LayoutSymmetric<>, LayoutRight>(true);
  expect_half_copied<LayoutSymmetric<Triangle::upper>, LayoutTiled<8>>(false);
  expect_half_copied<LayoutSymmetric<Triangle::upper>, LayoutSymmetric<>>(true);
  expect_half_copied<LayoutSymmetric<>, LayoutSymmetric<>>(true);
}

TEST(Copy, TakesArraysWithoutIndices)
{
  using One = Extents<index_t>;
  Array<double, One, LayoutRight, HostSpace> const source("strata::test::source", One());
  source.write()() = 2.5;
  Array<float, One, LayoutLeft> const there("strata::test::there", One());
  Array<double, One, LayoutStride, HostSpace> const back("strata::test::back",
                                                         LayoutStride::mapping<One>(One(), {}));
  copy(there, source);
  copy(back, there);
  EXPECT_EQ(back.read()(), 2.5);
}

/// A user's layout, of which launches know no order. It notes whether its elements were
/// reached before any fence.
struct LayoutWatched
{
  static inline bool unfenced = false;
  static constexpr std::size_t contiguous = dyn;
  template <class E>
  struct mapping : LayoutRight::mapping<E>
  {
    using layout_type = LayoutWatched;
    using LayoutRight::mapping<E>::mapping;
    template <class... I>
    KOKKOS_FUNCTION index_t operator()(I... i) const
    {
      if (testing::Fences::seen() == 0)
        unfenced = true;
      return LayoutRight::mapping<E>::operator()(i...);
    }
  };
};

TEST(Copy, WaitsForLaunchesBeforeItReads)
{
  Array<double, Sides, LayoutWatched, HostSpace> const from("strata::test::from", extents);
  Array<double, Sides, LayoutLeft, HostSpace> const to("strata::test::to", extents);
  std::fill_n(from.data(), from.size(), 1.5);
  testing::Fences const fences;
  LayoutWatched::unfenced = false;
  copy(to, from);
  EXPECT_FALSE(LayoutWatched::unfenced);
  EXPECT_EQ(to.read()(18, 2, 4), 1.5);
}

TEST(Copy, IsDeepWhereAssignmentIsShallow)
{
  using Values = Array<double, Dynamic<1>, LayoutRight, HostSpace>;
  Values const original("strata::test::original", Dynamic<1>(3));
  auto const elements = original.write();
  for (index_t i = 0; i < 3; ++i)
    elements(i) = static_cast<double>(i);
  Values const deep("strata::test::deep", Dynamic<1>(3));
  copy(deep, original);
  Values const shallow = original; // NOLINT(performance-unnecessary-copy-initialization)
  elements(1) = 10;
  EXPECT_EQ(deep.read()(1), 1);
  EXPECT_EQ(shallow.read()(1), 10);
}

TEST(Copy, TakesStaticAndRunTimeExtentsForEqual)
{
  Array<double, Sides, LayoutLeft, HostSpace> const fixed("strata::test::fixed", Sides(2));
  Array<double, Dynamic<3>, LayoutLeft, HostSpace> const free("strata::test::free",
                                                              Dynamic<3>(2, 3, 5));
  fixed.write()(1, 2, 4) = 7;
  copy(free, fixed);
  EXPECT_EQ(free.read()(1, 2, 4), 7);
}

TEST(Copy, OfNothingDoesNothing)
{
  Array<double, Sides, LayoutLeft> const from("strata::test::from", Sides(0));
  Array<double, Sides, LayoutRight> const to("strata::test::to", Sides(0));
  EXPECT_NO_THROW(copy(to, from));
  EXPECT_NO_THROW(copy(from, from));
}

TEST(Copy, RefusesAnotherSize)
{
  Array<double, Sides, LayoutLeft> const from("strata::test::from", Sides(4));
  Array<double, Sides, LayoutLeft> const to("strata::test::to", Sides(5));
  try {
    copy(to, from);
    FAIL() << "it was copied";
  } catch (std::invalid_argument const& error) {
    EXPECT_STREQ(error.what(), "copy of array 'strata::test::from' to 'strata::test::to': "
                               "index 0 has the sizes 4 and 5");
  }
}

TEST(Copy, FetchesAValueFromTheDevice)
{
  Array<double, Extents<index_t>, LayoutRight> const value("strata::test::value",
                                                           Extents<index_t>());
  Kokkos::deep_copy(Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(value.data()),
                    2.5);
  EXPECT_EQ(value_of(value), 2.5);
}

/// Elements that are neither numbers nor packs.
struct Point
{
  float x, y;
};

TEST(Copy, TakesElementsOfAnyType)
{
  Array<Point, Dynamic<2>, LayoutRight, HostSpace> const from("strata::test::from", 3, 5);
  Array<Point, Dynamic<2>, LayoutLeft, HostSpace> const to("strata::test::to", 3, 5);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j)
      from(i, j) = {static_cast<float>(i), static_cast<float>(j)};
  copy(to, from);
  EXPECT_EQ(to(2, 3).x, 2);
  EXPECT_EQ(to(1, 4).y, 4);
}

} // namespace

} // namespace strata
