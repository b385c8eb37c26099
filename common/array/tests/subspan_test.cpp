#include "array/subspan.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
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

// Tiles have no strides: a part of one is no strided span.
template <class Span>
concept Sliceable = requires(Span span) { subspan(span, 1, all, all); };
static_assert(Sliceable<Span<double, Block, LayoutLeft>>);
static_assert(!Sliceable<Span<double, Block, LayoutTiled<8>>>);

} // namespace

} // namespace strata
