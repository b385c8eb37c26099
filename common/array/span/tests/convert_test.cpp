#include "array/dense/array.hpp"
#include "array/layout/convert.hpp"
#include "array/layout/symmetric.hpp"
#include "array/span/span.hpp"
#include "array/span/subspan.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// What becomes what, for spans and for arrays: S3's "Assignment Examples" by their numbers.

namespace strata::conversions {

namespace {

template <std::size_t... E>
using Sizes = Extents<index_t, E...>;
template <class T, class E, class Layout = LayoutRight>
using S = Span<T, E, Layout>;
template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;

using Tens = Sizes<dyn, 10>;

static_assert(converts<S<int, Dynamic<1>>, S<int, Dynamic<1>>>);        // a1
static_assert(converts<S<int, Tens>, S<int, Dynamic<2>>>);              // a2
static_assert(converts<S<int, Dynamic<2>>, S<int, Tens>>);              // a3, checked
static_assert(converts<S<int, Dynamic<1>>, S<int const, Dynamic<1>>>);  // a4
static_assert(!converts<S<int const, Dynamic<1>>, S<int, Dynamic<1>>>); // a5: drops const
static_assert(!converts<S<int, Dynamic<1>>, S<int, Dynamic<2>>>);       // a6: another rank
static_assert(!converts<S<int, Tens>, S<int, Sizes<dyn, 8>>>); // a7: other static sizes
static_assert(converts<S<int, Tens>, S<int, Sizes<4, 10>>>);   // a8, checked
static_assert(converts<S<int, Dynamic<1>, LayoutRight>, S<int, Dynamic<1>, LayoutLeft>>); // a9
static_assert(converts<S<int, Sizes<4, 10>>, S<int, Dynamic<2>, LayoutStride>>);          // a10
static_assert(converts<S<int, Dynamic<2>, LayoutStride>, S<int, Dynamic<2>>>); // a11, checked

// Layouts of more than one index are themselves, and what is not strided has no strides.
static_assert(!converts<S<int, Dynamic<2>, LayoutRight>, S<int, Dynamic<2>, LayoutLeft>>);
static_assert(!converts<S<int, Dynamic<2>, LayoutTiled<8>>, S<int, Dynamic<2>, LayoutStride>>);
static_assert(!converts<S<int, Dynamic<2>, LayoutSymmetric<>>, S<int, Dynamic<2>>>);
static_assert(!converts<S<int, Dynamic<1>>, S<double, Dynamic<1>>>);

TEST(Conversion, OfSpansKeepsTheElements)
{
  std::vector<int> values(40);
  S<int, Dynamic<2>> const a(values.data(), 4, 10);
  S<int, Tens> const a3 = a;
  S<int, Sizes<4, 10>> const a8 = a3;
  S<int, Dynamic<2>, LayoutStride> const a10 = a8;
  S<int const, Dynamic<2>> const a11 = a10;
  EXPECT_EQ(&a8(3, 9), &values[39]);
  EXPECT_EQ(&a10(2, 5), &values[25]);
  EXPECT_EQ(&a11(2, 5), &values[25]);
  S<int, Dynamic<1>, LayoutLeft> const a9 = S<int, Dynamic<1>>(values.data(), 40);
  EXPECT_EQ(&a9(7), &values[7]);
}

template <class Call>
std::string refusal(Call const& call)
{
  try {
    call();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Conversion, RefusesInEveryBuildWhatDoesNotFit)
{
  std::vector<int> values(40);
  S<int, Dynamic<2>> const a(values.data(), 5, 8);
  EXPECT_EQ(refusal([&] { [[maybe_unused]] S<int, Tens> const a3 = a; }),
            "extents: index 1 has the static size 10 and was given 8; give the run-time sizes "
            "alone, or make that size dyn");
  auto const part = subspan(a, full_extent, Range{0, 4});
  EXPECT_EQ(
      refusal([&] { [[maybe_unused]] S<int, Dynamic<2>> const whole = part; }),
      "a span with the stride 8 of index 0 is not contiguous: that would be 4; keep it in "
      "a span of LayoutStride, or copy it");
  EXPECT_EQ(
      refusal([&] { [[maybe_unused]] S<int, Dynamic<2>, LayoutLeft> const left = part; }),
      "a span with the stride 8 of index 0 is not contiguous: that would be 1; keep it in "
      "a span of LayoutStride, or copy it");
  // A single row is contiguous whatever its stride is.
  auto const row = subspan(a, Range{2, 3}, Range{0, 4});
  S<int, Dynamic<2>> const contiguous = row;
  EXPECT_EQ(&contiguous(0, 3), &values[19]);
}

template <class T, class E, class Layout = LayoutRight>
using A = Array<T, E, Layout, HostSpace>;
template <class T, class E, class Layout = LayoutRight>
using OnHost = Span<T, E, Layout, AccessIn<AccessDefault, HostSpace>>;

static_assert(converts<A<int, Dynamic<2>>, A<int, Tens>>);
static_assert(converts<A<int, Tens>, A<int, Dynamic<2>, LayoutStride>>);
static_assert(!converts<A<int, Dynamic<2>>, A<int, Dynamic<2>, LayoutLeft>>);
static_assert(!converts<A<int, Dynamic<2>>, A<float, Dynamic<2>>>);
static_assert(converts<A<int, Dynamic<2>>, OnHost<int const, Dynamic<2>>>);
static_assert(converts<A<int, Tens>, OnHost<int const, Dynamic<2>, LayoutStride>>);
static_assert(!converts<A<int, Dynamic<2>>, OnHost<int, Dynamic<2>>>);

// Spans of memory that the device cannot reach are of a type of their own.
template <class T, class Rule>
using Apart = Span<T, Dynamic<1>, LayoutRight, AccessOnHost<Rule>>;
static_assert(!converts<Apart<int, AccessDefault>, S<int, Dynamic<1>>>);
static_assert(!converts<Apart<int, AccessDefault>, S<int const, Dynamic<1>>>);
static_assert(!converts<S<int, Dynamic<1>>, Apart<int const, AccessReadOnly>>);
static_assert(converts<Apart<int, AccessDefault>, Apart<int const, AccessDefault>>);
static_assert(converts<Apart<int const, AccessDefault>, Apart<int const, AccessReadOnly>>);
static_assert(converts<Apart<int, AccessRestrict>, Apart<int, AccessDefault>>);
static_assert(!converts<Apart<int, AccessDefault>, Apart<int, AccessRestrict>>);
static_assert(!converts<Apart<int, AccessAtomic>, Apart<int, AccessDefault>>);
#if defined(KOKKOS_ENABLE_CUDA)
template <class Space>
using In = Array<int, Dynamic<1>, LayoutRight, Space>;
static_assert(!converts<In<Kokkos::CudaSpace>, In<HostSpace>>);          // a12
static_assert(converts<In<Kokkos::CudaHostPinnedSpace>, In<HostSpace>>); // a13
static_assert(!converts<In<HostSpace>, In<Kokkos::CudaSpace>>);
static_assert(!converts<In<HostSpace>, S<int const, Dynamic<1>>>);
// S1, Fig 1: elements of a device's memory are reached on the device only, sizes everywhere.
template <class Space>
concept HostReaches = requires(In<Space> const& a) { a(0); };
static_assert(HostReaches<HostSpace> && !HostReaches<Kokkos::CudaSpace>);
static_assert(requires(In<Kokkos::CudaSpace> const& a) { a.extent(0); });
#endif

TEST(Conversion, OfSpansOfHostMemoryKeepsThemThere)
{
  std::vector<int> values(40);
  Apart<int, AccessDefault> const a(values.data(), 40);
  for (int i = 0; i < 40; ++i)
    a(i) = i;
  a(PackIndex<4>{8}) = Pack<int, 4>(5);
  Apart<int const, AccessReadOnly> const reading = Apart<int const, AccessDefault>(a);
  Pack<int, 4> const pack = reading(PackIndex<4>{6});
  EXPECT_EQ(pack.lane[1] + pack.lane[2], 7 + 5);
  auto const part = subspan(a, Range{3, 9});
  static_assert(std::is_same_v<decltype(part)::access_type, AccessOnHost<AccessDefault>>);
  EXPECT_EQ(&part(2), &values[5]);
}

TEST(Conversion, OfArraysSharesTheMemory)
{
  A<int, Dynamic<2>> const a("strata::test::a", 4, 10);
  A<int, Tens> const rows = a;
  EXPECT_EQ(a.use_count(), 2);
  rows(3, 7) = 5;
  EXPECT_EQ(a(3, 7), 5);
  EXPECT_EQ(a.stride(0), 10);
  EXPECT_EQ(a.extent(0), 4);
  using Eight = A<int, Sizes<dyn, 8>>;
  EXPECT_NE(refusal([&] { Eight const none = a; }), "accepted");
  auto const sum_of = [](OnHost<int const, Dynamic<2>, LayoutStride> const& span) {
    int sum = 0;
    for (index_t i = 0; i < span.extent(0); ++i)
      sum += span(i, 7);
    return sum;
  };
  for (index_t i = 0; i < 3; ++i)
    a(i, 7) = 1;
  EXPECT_EQ(sum_of(a), 8);
}

// Deduced: sizes, extents and mappings.
static_assert(std::is_same_v<decltype(Extents(3, 4)), Dynamic<2>>);
static_assert(std::is_same_v<decltype(Span(static_cast<int*>(nullptr), 3, 4)),
                             Span<int, Dynamic<2>, LayoutRight>>);
static_assert(std::is_same_v<decltype(Span(static_cast<int const*>(nullptr), Tens(3))),
                             Span<int const, Tens, LayoutRight>>);
static_assert(std::is_same_v<decltype(Span(static_cast<int*>(nullptr),
                                           LayoutLeft::mapping<Tens>(Tens(3)))),
                             Span<int, Tens, LayoutLeft>>);

} // namespace

} // namespace strata::conversions
