#include "array/access/narrow.hpp"
#include "array/dense/array.hpp"
#include "array/launch/elementwise.hpp"
#include "array/launch/reduce.hpp"
#include "array/tests/on_host.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

namespace strata {

namespace {

static_assert(sizeof(float16) == 2 && alignof(float16) == 2 && sizeof(bfloat16) == 2);
static_assert(std::is_trivially_copyable_v<float16> && std::is_trivial_v<bfloat16>);
static_assert(std::is_same_v<computed_t<float16 const>, float> && is_narrow<bfloat16>);
static_assert(std::is_same_v<computed_t<double const>, double> && !is_narrow<float>);
static_assert(std::is_same_v<decltype(float16() + float16()), float>);
static_assert(std::is_same_v<ValueAt<float16, index_t>, float>);
static_assert(std::is_same_v<ValueAt<bfloat16, PackIndex<8>>, Pack<float, 8>>);
static_assert(sizeof(Pack<float16, 8>) == 16 && alignof(Pack<float16, 8>) == 16);

/// A format by the standard's words, without the bits of a float.
template <class T>
struct Told;
template <>
struct Told<float16>
{
  static constexpr int mantissa = 10;
  static constexpr int bias = 15;
};
template <>
struct Told<bfloat16>
{
  static constexpr int mantissa = 7;
  static constexpr int bias = 127;
};

/// The number that a pattern stands for.
template <class T>
double told(unsigned bits)
{
  constexpr unsigned largest_exponent = 2U * Told<T>::bias + 1;
  unsigned const mantissa = bits & ((1U << Told<T>::mantissa) - 1);
  unsigned const exponent = bits >> Told<T>::mantissa & largest_exponent;
  double const sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == largest_exponent)
    return mantissa == 0 ? sign * INFINITY : NAN;
  double const normal = exponent == 0 ? 0 : std::ldexp(1.0, Told<T>::mantissa);
  int const scale =
      static_cast<int>(std::max(exponent, 1U)) - Told<T>::bias - Told<T>::mantissa;
  return sign * std::ldexp(normal + mantissa, scale);
}

template <class T>
T of(unsigned bits)
{
  return T::of_bits(static_cast<std::uint16_t>(bits));
}

template <class T>
class Narrow : public ::testing::Test
{
};
using NarrowTypes = ::testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Narrow, NarrowTypes);

/// `rounded` takes a float to a pattern.
template <class T, class Rounded>
void expect_rounding(Rounded const& rounded)
{
  constexpr unsigned infinity = std::numeric_limits<T>::infinity().bits();
  for (unsigned bits = 0; bits < infinity; ++bits) {
    auto const low = static_cast<float>(told<T>(bits));
    // What would follow the largest number counts as its neighbour.
    auto const high = bits + 1 == infinity ? low + (low - static_cast<float>(told<T>(bits - 1)))
                                           : static_cast<float>(told<T>(bits + 1));
    ASSERT_EQ(rounded(low), bits);
    ASSERT_EQ(rounded(-low), bits | 0x8000U);
    float const middle = std::isinf(high) ? std::ldexp(511.0F, 119) : low + (high - low) / 2;
    if (std::nextafter(middle, 0.0F) < low || middle == low)
      continue; // a float has no more numbers between them
    ASSERT_EQ(rounded(middle), bits + bits % 2);
    ASSERT_EQ(rounded(std::nextafter(middle, 0.0F)), bits);
    ASSERT_EQ(rounded(std::nextafter(middle, INFINITY)), bits + 1);
    ASSERT_EQ(rounded(-std::nextafter(middle, INFINITY)), (bits + 1) | 0x8000U);
  }
  EXPECT_EQ(rounded(INFINITY), infinity);
  EXPECT_EQ(rounded(std::numeric_limits<float>::max()), infinity);
  EXPECT_EQ(rounded(-INFINITY), infinity | 0x8000U);
  for (unsigned const nan : {0x7fc00000U, 0x7f800001U, 0x7fffffffU, 0xffffffffU, 0x7f802000U})
    EXPECT_TRUE(std::isnan(told<T>(rounded(detail::float_of(nan))))) << nan;
}

template <class T, class Widened>
void expect_widening(Widened const& widened_of)
{
  for (unsigned bits = 0; bits <= 0xffffU; ++bits) {
    double const expected = told<T>(bits);
    auto const found = static_cast<double>(widened_of(static_cast<std::uint16_t>(bits)));
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(found)) << bits;
    else {
      ASSERT_EQ(found, expected) << bits;
      ASSERT_EQ(std::signbit(found), std::signbit(expected)) << bits;
    }
  }
}

TYPED_TEST(Narrow, WidensEveryNumberExactly)
{
  expect_widening<TypeParam>([](unsigned bits) -> float { return of<TypeParam>(bits); });
}

TYPED_TEST(Narrow, RoundsToTheNearestAndOfTwoToTheEvenOne)
{
  expect_rounding<TypeParam>([](float value) -> unsigned { return TypeParam(value).bits(); });
}

TEST(Half, ConvertsWithoutInstructionsToo)
{
  expect_widening<float16>(&detail::Binary16::widened_by_bits);
  expect_rounding<float16>(&detail::Binary16::rounded_by_bits);
}

TYPED_TEST(Narrow, HasLimits)
{
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(Limits::epsilon(), std::ldexp(1.0F, 1 - Limits::digits));
  EXPECT_EQ(TypeParam(1 + Limits::epsilon() / 2), 1); // to even
  EXPECT_GT(TypeParam(1 + 0.75F * Limits::epsilon()), 1);
  EXPECT_TRUE(std::isnan(Limits::quiet_NaN()) && std::isinf(Limits::infinity()));
  EXPECT_EQ(of<TypeParam>(Limits::max().bits() + 1U), Limits::infinity());
  EXPECT_EQ(Limits::lowest(), -Limits::max());
  EXPECT_EQ(of<TypeParam>(Limits::min().bits() - 1U),
            Limits::min() - Limits::min() * Limits::epsilon());
}

/// Packs of W convert as single numbers do, and touch no other elements.
template <class T, int W>
void expect_packs()
{
  using A = AccessDefault::accessor<T>;
  std::minstd_rand draw(7);
  std::vector<T> from(3 * W);
  for (int round = 0; round < 1000; ++round) {
    for (auto& value : from)
      value = of<T>(draw() & 0xffffU);
    auto to = from;
    std::size_t const at = draw() % W;
    auto const values = widened(A::template load<W>(from.data(), at));
    static_assert(std::is_same_v<decltype(values), Pack<float, W> const>);
    PackReference<A, W>(to.data(), W) = values * Pack<float, W>(1.1F);
    for (std::size_t i = 0; i < to.size(); ++i) {
      bool const stored = i >= W && i < 2 * W;
      float const expected = stored ? from[i - W + at] * 1.1F : static_cast<float>(from[i]);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(to[i]));
      else
        ASSERT_EQ(to[i].bits(), T(expected).bits()) << i << ' ' << expected;
    }
  }
}

TYPED_TEST(Narrow, ConvertsInPacks)
{
  expect_packs<TypeParam, 2>();
  expect_packs<TypeParam, 4>();
  expect_packs<TypeParam, 8>();
  expect_packs<TypeParam, 16>();
  expect_packs<TypeParam, 32>();
}

/// Kernels written once compute in float and round once, launched over packs and not.
template <class T, class Access, int W>
void expect_kernels()
{
  constexpr index_t count = 1237;
  test::Vector<T> a("a", count);
  test::Vector<T> b("b", count);
  test::Vector<T> c("c", count);
  for_each(count, test::Place<decltype(b.write())>{b.write()}, Packs<1>{});
  for_each(count, test::Place<decltype(c.write())>{c.write()}, Packs<1>{});
  auto const to = a.template write<Access>();
  auto const x = b.template read<AccessReadOnly>();
  auto const y = c.template read<AccessReadOnly>();
  using Kernel = Triad<decltype(to), decltype(x), decltype(y)>;
  for_each(count, Kernel{to, x, y, 0.375F}, Packs<W>{});
  test::Scalar sum("sum");
  reduce(in_order_of<LayoutRight>(a.extents()), Dot<decltype(x), decltype(y)>{x, y}, sum,
         Packs<W>{});
  auto const found = test::on_host(a);
  double expected_sum = 0;
  for (index_t i = 0; i < count; ++i) {
    float const value = T(static_cast<float>(i % 1000));
    ASSERT_EQ(found(i).bits(), T(value + 0.375F * value).bits()) << i;
    expected_sum += static_cast<double>(value) * static_cast<double>(value);
  }
  EXPECT_EQ(test::on_host(sum)(), expected_sum);
}

TYPED_TEST(Narrow, IsComputedWithInFloat)
{
  expect_kernels<TypeParam, AccessDefault, 1>();
  expect_kernels<TypeParam, AccessDefault, pack_width<TypeParam>>();
  expect_kernels<TypeParam, AccessRestrict, pack_width<TypeParam>>();
  expect_kernels<TypeParam, AccessStreaming, pack_width<TypeParam>>();
}

} // namespace

} // namespace strata
