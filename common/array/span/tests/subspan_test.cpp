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
  auto const row = subspan(whole, 2, all, 3);
  static_assert(decltype(row)::rank() == 1);
  EXPECT_EQ(row.extent(0), 4);
  auto const box = subspan(whole, Range{1, 3}, all, Range{2, 4});
  static_assert(decltype(box)::rank() == 3);
  EXPECT_EQ(box.extents(), Dynamic<3>(2, 4, 2));
  for (index_t j = 0; j < 4; ++j) {
    EXPECT_EQ(&row(j), &whole(2, j, 3));
    for (index_t i = 0; i < 2; ++i)
      for (index_t k = 0; k < 2; ++k)
        EXPECT_EQ(&box(i, j, k), &whole(1 + i, j, 2 + k));
  }
  auto const nested = subspan(subspan(box, 1, all, all), Range{1, 4}, 1);
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
  auto const none = subspan(numbered.span(), Range{1, 1}, all, 0);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.mapping().required_span_size(), 0);
}

TEST(Subspan, KeepsConstAndTheAccessRule)
{
  Numbered<LayoutRight> numbered;
  Span<double const, Block, LayoutRight, AccessReadOnly> const reading = numbered.span();
  auto const part = subspan(reading, 1, all, all);
  static_assert(std::is_same_v<decltype(part)::access_type, AccessReadOnly>);
  static_assert(std::is_same_v<decltype(part)::element_type, double const>);
  auto const atomic = subspan(numbered.span().with<AccessAtomic>(), 1, all, 0);
  atomic(2) += 1;
  EXPECT_EQ(part(2, 0), 31);
}

template <class Slice>
void expect_second_half(Slice const& slice)
{
  Numbered<LayoutRight> numbered;
  auto const whole = numbered.span();
  auto const part = subspan(whole, 2, all, slice);
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
static_assert(detail::is_slice<int> && detail::is_slice<All> && detail::is_slice<Range>);
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
  auto const part = subspan(whole, 0, all, 3);
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
  EXPECT_DEATH(subspan(whole, 0, Range{2, 5}, all), "slice out of bounds");
  EXPECT_DEATH(subspan(whole, 0, std::pair(-1, 2), all), "slice out of bounds");
  EXPECT_DEATH(subspan(whole, 0, Range{3, 2}, all), "slice out of bounds");
  EXPECT_DEATH(subspan(whole, 3, all, all), "slice out of bounds");
  EXPECT_EQ(subspan(whole, Range{3, 3}, all, all).size(), 0);
}

// Tiles have no strides: a part of one is no strided span.
template <class Span>
concept Sliceable = requires(Span span) { subspan(span, 1, all, all); };
static_assert(Sliceable<Span<double, Block, LayoutLeft>>);
static_assert(!Sliceable<Span<double, Block, LayoutTiled<8>>>);

} // namespace

} // namespace strata
