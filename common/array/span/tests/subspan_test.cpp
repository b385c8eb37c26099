#include "array/layout/symmetric.hpp"
#include "array/span/subspan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strata {

namespace {

using Block = Extents<index_t, dyn, 4, 5>;

template <class Layout>
class Numbered
{
public:
  Numbered() { std::iota(elements_.begin(), elements_.end(), 0.0); }
  Span<double, Block, Layout> span() { return {elements_.data(), Block(3)}; }

private:
  std::vector<double> elements_ = std::vector<double>(60);
};

template <class Layout>
void expect_same_elements()
{
  Numbered<Layout> numbered;
  auto const whole = numbered.span();
  auto const row = subspan(whole, 2, full_extent, 3);
  static_assert(decltype(row)::rank() == 1);
  EXPECT_EQ(row.extent(0), 4);
  auto const box = subspan(whole, Range{1, 3}, full_extent, Range{2, 4});
  static_assert(decltype(box)::rank() == 3);
  EXPECT_EQ(box.extents(), Dynamic<3>(2, 4, 2));
  for (index_t j = 0; j < 4; ++j) {
    EXPECT_EQ(&row(j), &whole(2, j, 3));
    for (index_t i = 0; i < 2; ++i)
      for (index_t k = 0; k < 2; ++k)
        EXPECT_EQ(&box(i, j, k), &whole(1 + i, j, 2 + k));
  }
  auto const nested = subspan(subspan(box, 1, full_extent, full_extent), Range{1, 4}, 1);
  EXPECT_EQ(nested.extent(0), 3);
  for (index_t j = 0; j < 3; ++j)
    EXPECT_EQ(&nested(j), &whole(2, 1 + j, 3));
  auto const one = subspan(whole, 1, 2, 3);
  static_assert(decltype(one)::rank() == 0);
  EXPECT_EQ(&one(), &whole(1, 2, 3));
}

TEST(Subspan, ReachesTheSameElements)
{
  expect_same_elements<LayoutRight>();
  expect_same_elements<LayoutLeft>();
}

TEST(Subspan, MayBeEmpty)
{
  Numbered<LayoutRight> numbered;
  auto const none = subspan(numbered.span(), Range{1, 1}, full_extent, 0);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.mapping().required_span_size(), 0);
}

TEST(Subspan, KeepsConstAndTheAccessRule)
{
  Numbered<LayoutRight> numbered;
  Span<double const, Block, LayoutRight, AccessReadOnly> const reading = numbered.span();
  auto const part = subspan(reading, 1, full_extent, full_extent);
  static_assert(std::is_same_v<decltype(part)::access_type, AccessReadOnly>);
  static_assert(std::is_same_v<decltype(part)::element_type, double const>);
  auto const atomic = subspan(numbered.span().with<AccessAtomic>(), 1, full_extent, 0);
  atomic(2) += 1;
  EXPECT_EQ(part(2, 0), 31);
}

template <class Slice>
void expect_second_half(Slice const& slice)
{
  Numbered<LayoutRight> numbered;
  auto const whole = numbered.span();
  auto const part = subspan(whole, 2, full_extent, slice);
  ASSERT_EQ(part.extent(1), 2);
  EXPECT_EQ(&part(3, 0), &whole(2, 3, 2));
  EXPECT_EQ(&part(3, 1), &whole(2, 3, 3));
}

TEST(Subspan, TakesAPairOfIntegersForARange)
{
  expect_second_half(Range{2, 4});
  expect_second_half(std::pair(2, 4));
  expect_second_half(Kokkos::pair<index_t, index_t>(2, 4));
  expect_second_half(std::pair<unsigned char, index_t>(2, 4));
  expect_second_half(std::tuple(2, index_t{4}));
  expect_second_half(std::array{2U, 4U});
}

// What else is refused, with a message: refused.cpp.
static_assert(detail::is_slice<int> && detail::is_slice<FullExtent> && detail::is_slice<Range>);
static_assert(!detail::is_slice<double> && !detail::is_slice<std::string>);
static_assert(!detail::is_slice<std::pair<double, double>>);
static_assert(!detail::is_slice<std::pair<int, std::string>>);
static_assert(!detail::is_slice<std::tuple<int, int, int>>);
static_assert(!detail::is_slice<std::array<double, 2>>);
static_assert(!detail::is_slice<PackIndex<4>>);

/// Handles are aligned to 16 elements; a part begins anywhere.
struct AccessAligned
{
  template <class T>
  struct accessor
  {
    using element_type = T;
    using reference = T&;
    using data_handle_type = T*;
    using offset_policy = AccessDefault::accessor<T>;
    static T* offset(T* p, std::size_t i) { return p + i; }
    static T& access(T* p, std::size_t i)
    {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % (16 * sizeof(T)), 0U);
      return p[i];
    }
  };
};

TEST(Subspan, TakesTheAccessorsOffsetPolicy)
{
  alignas(128) double elements[60] = {};
  elements[13] = 2;
  Span<double, Block, LayoutRight, AccessAligned> const whole(elements, Block(3));
  EXPECT_EQ(whole(0, 2, 3), 2);
  auto const part = subspan(whole, 0, full_extent, 3);
  EXPECT_EQ(part(2), 2);
  Span<double, Dynamic<1>, LayoutStride> const plain = part;
  EXPECT_EQ(&plain(2), elements + 13);
}

TEST(Subspan, StopsAtSlicesOutOfBounds)
{
  if constexpr (!bounds_checked)
    GTEST_SKIP() << "bounds are checked in Debug builds";
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  Numbered<LayoutRight> numbered;
  Span<double, Block, LayoutRight> const whole(numbered.span().data_handle(), Block(3),
                                               "block");
  EXPECT_DEATH(subspan(whole, 0, Range{2, 5}, full_extent), "slice .* is not within");
  EXPECT_DEATH(subspan(whole, 0, std::pair(-1, 2), full_extent), "slice .* is not within");
  EXPECT_DEATH(subspan(whole, 0, Range{3, 2}, full_extent), "slice .* is not within");
  EXPECT_DEATH(subspan(whole, 3, full_extent, full_extent), "slice .* is not within");
  EXPECT_EQ(subspan(whole, Range{3, 3}, full_extent, full_extent).size(), 0);
}

// Tiles have no strides: a part of one is no strided span.
template <class Span>
concept Sliceable = requires(Span span) { subspan(span, 1, full_extent, full_extent); };
static_assert(Sliceable<Span<double, Block, LayoutLeft>>);
static_assert(!Sliceable<Span<double, Block, LayoutTiled<8>>>);
template <class Matrix>
concept HasRows = requires(Matrix matrix) { subspan(matrix, 1, full_extent); };
static_assert(HasRows<Span<double, dextents<2>>>);
static_assert(!HasRows<Span<double, dextents<2>, LayoutSymmetric<>>>);

template <class Layout, class... Slice>
using PartOf = decltype(subspan(Span<double, Block, Layout>(), Slice()...));
template <class Part, class E, class Layout>
constexpr bool is_part = std::is_same_v<typename Part::extents_type, E> &&
                         std::is_same_v<typename Part::layout_type, Layout>;
using Full = FullExtent;
template <std::size_t... E>
using Kept = Extents<index_t, E...>;

// Right stays right while only leading indices are dropped or the first one kept is cut.
static_assert(is_part<PartOf<LayoutRight, int, Full, Full>, Kept<4, 5>, LayoutRight>);
static_assert(is_part<PartOf<LayoutRight, Range, Full, Full>, Kept<dyn, 4, 5>, LayoutRight>);
static_assert(is_part<PartOf<LayoutRight, int, Range, Full>, Kept<dyn, 5>, LayoutRight>);
static_assert(is_part<PartOf<LayoutRight, int, int, Range>, Kept<dyn>, LayoutRight>);
static_assert(is_part<PartOf<LayoutRight, int, int, int>, Kept<>, LayoutRight>);
static_assert(is_part<PartOf<LayoutRight, Full, Range, Full>, Kept<dyn, dyn, 5>, LayoutStride>);
static_assert(is_part<PartOf<LayoutRight, Full, Full, int>, Kept<dyn, 4>, LayoutStride>);
// Left from the other end.
static_assert(is_part<PartOf<LayoutLeft, Full, Full, int>, Kept<dyn, 4>, LayoutLeft>);
static_assert(is_part<PartOf<LayoutLeft, Full, Range, int>, Kept<dyn, dyn>, LayoutLeft>);
static_assert(is_part<PartOf<LayoutLeft, Range, int, int>, Kept<dyn>, LayoutLeft>);
static_assert(is_part<PartOf<LayoutLeft, int, Full, Full>, Kept<4, 5>, LayoutStride>);
// What is cut by constants has a size that is known.
template <index_t I>
using Constant = std::integral_constant<index_t, I>;
static_assert(is_part<PartOf<LayoutRight, int, int, std::pair<Constant<1>, Constant<4>>>,
                      Kept<3>, LayoutRight>);
static_assert(
    is_part<PartOf<LayoutRight, int, int, strided_slice<int, Constant<5>, Constant<2>>>,
            Kept<3>, LayoutStride>);
static_assert(is_part<PartOf<LayoutRight, int, int, strided_slice<int, int, int>>, Kept<dyn>,
                      LayoutStride>);
static_assert(is_part<PartOf<LayoutRight, Constant<1>, Full, Full>, Kept<4, 5>, LayoutRight>);

TEST(Subspan, OfContiguousLayoutsReachesTheSameElements)
{
  Numbered<LayoutRight> right;
  auto const plane = subspan(right.span(), 1, Range{1, 3}, full_extent);
  EXPECT_EQ(&plane(1, 4), &right.span()(1, 2, 4));
  Numbered<LayoutLeft> left;
  auto const part = subspan(left.span(), full_extent, Range{1, 3}, 4);
  EXPECT_EQ(&part(2, 1), &left.span()(2, 2, 4));
}

TEST(Subspan, TakesEverySoManyth)
{
  Numbered<LayoutRight> numbered;
  auto const whole = numbered.span();
  auto const odd = subspan(whole, 2, 3, strided_slice<int, int, int>{1, 4, 2});
  ASSERT_EQ(odd.extent(0), 2);
  EXPECT_EQ(&odd(0), &whole(2, 3, 1));
  EXPECT_EQ(&odd(1), &whole(2, 3, 3));
  auto const one = subspan(whole, 2, 3, strided_slice<int, int, int>{4, 1, 7});
  ASSERT_EQ(one.extent(0), 1);
  EXPECT_EQ(&one(0), &whole(2, 3, 4));
  EXPECT_EQ(subspan(whole, 2, 3, strided_slice<int, int, int>{5, 0, 2}).extent(0), 0);
}

TEST(Subspan, TakesKokkosAll)
{
  Numbered<LayoutRight> numbered;
  EXPECT_EQ(subspan(numbered.span(), 2, Kokkos::ALL, 3).extent(0), 4);
}

TEST(Subspan, OfNoElementsBeginsWithinTheMemory)
{
  std::vector<double> values(20);
  Span<double, Dynamic<2>, LayoutRight> const whole(values.data(), 4, 5);
  auto const none = subspan(whole, Range{4, 4}, 3);
  EXPECT_EQ(none.extent(0), 0);
  EXPECT_EQ(none.data_handle(), values.data() + 20); // not 23
  EXPECT_EQ(subspan(whole, Range{1, 1}, 3).data_handle(), values.data() + 8);
}

} // namespace

} // namespace strata
