#include "array/access/access.hpp"
#include "array/dense/array.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace strata {

namespace {

static_assert(ElementAccessor<AccessDefault::accessor<double>, double>);
static_assert(ElementAccessor<AccessDefault::accessor<double const>, double const>);
static_assert(ElementAccessor<AccessReadOnly::accessor<double const>, double const>);
static_assert(ElementAccessor<AccessRestrict::accessor<float>, float>);
static_assert(ElementAccessor<AccessAtomic::accessor<double>, double>);
static_assert(ElementAccessor<AccessStreaming::accessor<double>, double>);

static_assert(std::is_same_v<AccessReadOnly::accessor<double const>::reference, double>);
static_assert(Packable<AccessDefault, double> && Packable<AccessStreaming, float>);
static_assert(Packable<AccessReadOnly, double const> && Packable<AccessRestrict, double>);
static_assert(!Packable<AccessAtomic, double>);

template <class Access>
void expect_loads_and_stores()
{
  using A = typename Access::template accessor<double>;
  std::array<double, 4> values{1, 2, 3, 4};
  A::access(values.data(), 2) = 7;
  EXPECT_EQ(values, (std::array<double, 4>{1, 2, 7, 4}));
  double const read = A::access(A::offset(values.data(), 1), 2);
  EXPECT_EQ(read, 4);
}

TEST(Access, LoadsAndStoresOneElement)
{
  expect_loads_and_stores<AccessDefault>();
  expect_loads_and_stores<AccessRestrict>();
  expect_loads_and_stores<AccessAtomic>();
  expect_loads_and_stores<AccessStreaming>();
  std::array<double, 2> const values{1, 2};
  EXPECT_EQ(AccessReadOnly::accessor<double const>::access(values.data(), 1), 2);
}

/// Packs of W at every offset from an aligned start touch exactly their elements.
template <class Access, class T, int W>
void expect_packs()
{
  using A = typename Access::template accessor<T>;
  constexpr std::size_t count = 4 * W;
  alignas(64) std::array<T, count> values{};
  for (std::size_t at = 0; at + W <= count; ++at) {
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<T>(i);
    auto const loaded = A::template load<W>(values.data(), at);
    for (int w = 0; w < W; ++w)
      EXPECT_EQ(loaded.lane[w], static_cast<T>(at + static_cast<std::size_t>(w)));
    PackReference<A, W> const there(values.data(), at);
    there = loaded + Pack<T, W>(T(100));
    there += Pack<T, W>(T(1));
    streaming_fence();
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(values[i], static_cast<T>(i) + (i >= at && i < at + W ? T(101) : T(0)));
  }
}

TEST(Access, MovesPacksAtAnyOffset)
{
  expect_packs<AccessDefault, double, 8>();
  expect_packs<AccessRestrict, double, 8>();
  expect_packs<AccessStreaming, double, 8>();
  expect_packs<AccessStreaming, double, 16>();
  expect_packs<AccessStreaming, float, 16>();
}

TEST(Access, CopiesThroughPackReferences)
{
  using A = AccessDefault::accessor<double>;
  std::vector<double> values{1, 2, 3, 4};
  PackReference<A, 2> const front(values.data(), 0);
  PackReference<A, 2> const back(values.data(), 2);
  front = back;
  EXPECT_EQ(values, (std::vector<double>{3, 4, 3, 4}));
}

struct AddOne
{
  AccessAtomic::accessor<double>::data_handle_type sum;
  KOKKOS_FUNCTION void operator()(int) const
  {
    AccessAtomic::accessor<double>::access(sum, 0) += 1;
  }
};

TEST(AccessAtomic, LosesNoConcurrentAddition)
{
  Kokkos::View<double, DeviceSpace> const sum("strata::test::sum");
  Kokkos::parallel_for("strata::test::AddOne", Kokkos::RangePolicy<Device>(0, 100000),
                       AddOne{sum.data()});
  double found = 0;
  Kokkos::deep_copy(found, sum);
  EXPECT_EQ(found, 100000);
}

TEST(AccessAtomic, HasAllUpdates)
{
  long value = 12;
  AccessAtomic::accessor<long>::reference const atomic(&value);
  atomic -= 2;
  EXPECT_EQ(value, 10);
  ++atomic;
  EXPECT_EQ(value, 11);
  --atomic;
  EXPECT_EQ(value, 10);
  atomic |= 5;
  EXPECT_EQ(value, 15);
  atomic &= 6;
  EXPECT_EQ(value, 6);
  atomic.min(9);
  EXPECT_EQ(value, 6);
  atomic.min(-3);
  EXPECT_EQ(value, -3);
  atomic.max(-5);
  EXPECT_EQ(value, -3);
  atomic.max(8);
  EXPECT_EQ(value, 8);
  EXPECT_EQ(atomic.fetch_add(4), 8);
  EXPECT_EQ(value, 12);
  double real = 1;
  AccessAtomic::accessor<double>::reference const of_real(&real);
  of_real -= 0.5;
  of_real.max(4);
  of_real.min(2.5);
  EXPECT_EQ(real, 2.5);
}

template <class Reference>
concept HasBits = requires(Reference reference) { reference |= 1; };
static_assert(HasBits<AccessAtomic::accessor<unsigned>::reference>);
static_assert(!HasBits<AccessAtomic::accessor<double>::reference>);
static_assert(!HasBits<AccessAtomic::accessor<unsigned const>::reference>);

TEST(AccessAtomic, ReferencesAssignValues)
{
  std::array<double, 2> values{1, 2};
  using A = AccessAtomic::accessor<double>;
  auto const first = A::access(values.data(), 0);
  first = A::access(values.data(), 1);
  first += 3;
  EXPECT_EQ(values, (std::array<double, 2>{5, 2}));
}

TEST(AccessAtomic, LoadsANegativeZero) // to which an addition of 0 would give +0
{
  std::array<double, 1> values{-0.0};
  double const read = AccessAtomic::accessor<double>::access(values.data(), 0);
  EXPECT_TRUE(std::signbit(read));
  EXPECT_TRUE(std::signbit(values[0]));
}

template <class T>
void expect_loaded(T value)
{
  using A = AccessAtomic::accessor<T const>;
  EXPECT_EQ(static_cast<T>(A::access(&value, 0)), value);
}

TEST(AccessAtomic, LoadsWithoutWriting)
{
  expect_loaded<double>(0.1);
  expect_loaded<float>(0.1F);
  expect_loaded<std::int8_t>(-3);
  expect_loaded<std::uint64_t>(~std::uint64_t{0});
  // A program may not write its constants.
  static constexpr std::array<double, 3> constants{1, 2, 3};
  double const read = AccessAtomic::accessor<double const>::access(constants.data(), 2);
  EXPECT_EQ(read, 3);
}

template <class Reference>
concept Assignable = requires(Reference r) { r = 1.0; } || requires(Reference r) { r += 1.0; };
static_assert(ElementAccessor<AccessAtomic::accessor<double const>, double const>);
static_assert(Assignable<AccessAtomic::accessor<double>::reference>);
static_assert(!Assignable<AccessAtomic::accessor<double const>::reference>);

TEST(AccessAtomic, ReadsAnArray)
{
  Array<double, Dynamic<1>, LayoutRight, HostSpace> const values("strata::test::values",
                                                                 Dynamic<1>(3));
  values.write()(1) = 4;
  EXPECT_EQ(values.read<AccessAtomic>()(1), 4);
}

} // namespace

} // namespace strata
