#include "array/span/span.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

namespace strata {

namespace {

using ThreeColumns = Extents<index_t, dyn, 3>;
template <class T, class E = ThreeColumns, class Layout = LayoutRight,
          class Access = AccessDefault>
using S = Span<T, E, Layout, Access>;

// Accepted and rejected as S3 has it for views.
static_assert(std::is_convertible_v<S<double>, S<double const>>);
static_assert(!std::is_constructible_v<S<double>, S<double const>>);
static_assert(std::is_convertible_v<S<double>, S<double, Dynamic<2>>>);
static_assert(std::is_convertible_v<S<double, Dynamic<2>>, S<double>>); // checked at run time
static_assert(!std::is_constructible_v<S<double>, S<double, ThreeColumns, LayoutLeft>>);
static_assert(!std::is_constructible_v<S<float>, S<double>>);
static_assert(!std::is_constructible_v<S<double>, S<double, Extents<index_t, dyn, 4>>>);
static_assert(std::is_convertible_v<
              S<double>, S<double const, ThreeColumns, LayoutRight, AccessReadOnly>>);
static_assert(std::is_trivially_copyable_v<S<double>>);

// A rule becomes another one only where its accessor says so: const is added and promises are
// dropped, but nobody makes atomic access plain, or invents that nothing overlaps.
template <class T, class Access, class U, class Other>
constexpr bool converts()
{
  using From = S<T, ThreeColumns, LayoutRight, Access>;
  using To = S<U, ThreeColumns, LayoutRight, Other>;
  static_assert(std::is_constructible_v<To, From> == std::is_convertible_v<From, To>);
  return std::is_convertible_v<From, To>;
}
static_assert(converts<double, AccessAtomic, double const, AccessAtomic>());
static_assert(!converts<double const, AccessAtomic, double, AccessAtomic>());
static_assert(!converts<double, AccessAtomic, double, AccessDefault>());
static_assert(!converts<double, AccessAtomic, double const, AccessReadOnly>());
static_assert(!converts<double, AccessDefault, double, AccessAtomic>());
static_assert(!converts<double, AccessDefault, double, AccessRestrict>());
static_assert(!converts<double, AccessDefault, double const, AccessRestrict>());
static_assert(converts<double, AccessRestrict, double const, AccessDefault>());
static_assert(!converts<double const, AccessRestrict, double, AccessDefault>());
static_assert(converts<double const, AccessReadOnly, double const, AccessDefault>());
static_assert(!converts<double const, AccessReadOnly, double, AccessDefault>());

// Elements are reached with as many indices as there are.
template <class Span, class... I>
concept Indexable = requires(Span span, I... i) { span(i...); };
static_assert(Indexable<S<double>, int, int>);
static_assert(!Indexable<S<double>, int> && !Indexable<S<double>, int, int, int>);
static_assert(std::is_same_v<decltype(S<double const>()(0, 0)), double const&>);

class SpanTest : public ::testing::Test
{
protected:
  SpanTest() { std::iota(elements_.begin(), elements_.end(), 0.0); }
  [[nodiscard]] S<double> span() { return {elements_.data(), ThreeColumns(5), "values"}; }

  std::vector<double> elements_ = std::vector<double>(15);
};

TEST_F(SpanTest, ReachesTheElementsOfItsMapping)
{
  auto const values = span();
  EXPECT_EQ(values.rank(), 2U);
  EXPECT_EQ(values.extent(0), 5);
  EXPECT_EQ(values.extent(1), 3);
  EXPECT_EQ(values.size(), 15);
  EXPECT_EQ(values(4, 2), 14);
  values(1, 0) = -1;
  EXPECT_EQ(elements_[3], -1);
  S<double, ThreeColumns, LayoutLeft> const columns(elements_.data(), ThreeColumns(5));
  EXPECT_EQ(columns(4, 2), 14);
  EXPECT_EQ(columns(1, 2), 11);
}

TEST_F(SpanTest, IsNullByDefault)
{
  S<double> const none;
  EXPECT_EQ(none.data_handle(), nullptr);
  EXPECT_EQ(none.size(), 0);
}

TEST_F(SpanTest, GainsConstAndLosesStaticExtents)
{
  S<double const> const same = span();
  S<double, Dynamic<2>> const dynamic = span();
  EXPECT_EQ(same.data_handle(), elements_.data());
  EXPECT_EQ(dynamic.extents(), ThreeColumns(5));
  EXPECT_EQ(&same(3, 1), &dynamic(3, 1));
}

TEST_F(SpanTest, GainsConstWithItsStrides)
{
  using Strided = LayoutStride::mapping<Dynamic<2>>;
  S<double, Dynamic<2>, LayoutStride> const even(elements_.data(),
                                                 Strided(Dynamic<2>(3, 2), {4, 2}));
  S<double const, Dynamic<2>, LayoutStride> const reading = even;
  EXPECT_EQ(&reading(2, 1), &even(2, 1));
}

TEST_F(SpanTest, IsReachedByOtherRules)
{
  auto const atomic = span().with<AccessAtomic>();
  static_assert(std::is_same_v<decltype(atomic)::access_type, AccessAtomic>);
  atomic(2, 2) += 1;
  EXPECT_EQ(elements_[8], 9);
}

TEST_F(SpanTest, GivesPacksAlongTheContiguousIndex)
{
  S<double> const values = span();
  S<double const> const reading = values;
  auto const pack = reading(1, PackIndex<2>{1});
  EXPECT_EQ(pack.lane[0], 4);
  EXPECT_EQ(pack.lane[1], 5);
  values(0, PackIndex<2>{0}) = pack;
  EXPECT_EQ(elements_[0], 4);
  EXPECT_EQ(elements_[1], 5);
  EXPECT_EQ(elements_[2], 2);
  S<double, ThreeColumns, LayoutLeft> const columns(elements_.data(), ThreeColumns(5));
  columns(PackIndex<4>{1}, 2) = Pack<double, 4>(7.0);
  EXPECT_EQ(elements_[10], 10);
  EXPECT_EQ(elements_[11], 7);
  EXPECT_EQ(elements_[14], 7);
}

TEST_F(SpanTest, GivesTheSamePacksWhereItPrefetches)
{
  elements_.resize(15 + elements_ahead);
  S<double, ThreeColumns, LayoutLeft> const columns(elements_.data(), ThreeColumns(5));
  S<double const, ThreeColumns, LayoutLeft> const reading = columns;
  auto const pack = reading(LeadingIndex<2>{{1}}, 1);
  static_assert(std::is_same_v<decltype(pack), Pack<double, 2> const>);
  EXPECT_EQ(pack.lane[0], 6);
  EXPECT_EQ(pack.lane[1], 7);
  columns(LeadingIndex<2>{{0}}, 2) = pack;
  EXPECT_EQ(elements_[10], 6);
  EXPECT_EQ(elements_[11], 7);
  EXPECT_EQ(elements_[12], 12);
}

TEST_F(SpanTest, NeedsNoSizesWhereAllAreStatic)
{
  Span<double, Extents<int, 3, 4>, LayoutRight> const fixed(elements_.data());
  EXPECT_EQ(&fixed(1, 2), &elements_[6]);
  EXPECT_TRUE(fixed.is_unique() && fixed.is_exhaustive() && fixed.is_strided());
  static_assert(!std::is_constructible_v<Span<double, Extents<int, dyn, 4>>, double*>);
}

TEST_F(SpanTest, StopsAtIndicesOutOfBounds)
{
  if constexpr (!bounds_checked)
    GTEST_SKIP() << "bounds are checked in Debug builds";
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  auto const values = span();
  EXPECT_DEATH(values(0, 3), "index 1 is 3, outside .0, 3.");
  EXPECT_DEATH(values(-1, 0), "index 0 is -1, outside");
}

} // namespace

} // namespace strata
