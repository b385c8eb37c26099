#include "array/layout/extents.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace strata {

namespace {

using Rows3x8 = Extents<index_t, dyn, 3, 8>;

// All static, mixed and all dynamic: known at compile time.
static_assert(Extents<int, 4, 5>::rank() == 2 && Extents<int, 4, 5>::rank_dynamic() == 0);
static_assert(Rows3x8::rank() == 3 && Rows3x8::rank_dynamic() == 1);
static_assert(Extents<int>::rank() == 0 && cardinality(Extents<int>()) == 1);
static_assert(Rows3x8::static_extent(0) == dyn && Rows3x8::static_extent(2) == 8);
static_assert(Extents<int, 4, 5>().extent(0) == 4 && Extents<int, 4, 5>().extent(1) == 5);
static_assert(std::is_same_v<Dynamic<3>, Extents<index_t, dyn, dyn, dyn>>);
static_assert(std::is_same_v<Dynamic<0>, Extents<index_t>>);
static_assert(std::is_same_v<Extents<int, 2>::size_type, unsigned>);
static_assert(std::is_trivially_copyable_v<Rows3x8>);

// Only run-time sizes are stored.
static_assert(sizeof(Rows3x8) == sizeof(index_t));
static_assert(sizeof(Extents<std::int32_t, dyn, 3, dyn>) == 2 * sizeof(std::int32_t));

// Accepted and rejected as S3 section "assignment" has it: a static size becomes a run-time
// one silently, the reverse only when asked for, and unequal ones never.
static_assert(std::is_convertible_v<Rows3x8, Dynamic<3>>);
static_assert(std::is_constructible_v<Rows3x8, Dynamic<3>>);
static_assert(!std::is_convertible_v<Dynamic<3>, Rows3x8>);
static_assert(!std::is_constructible_v<Rows3x8, Extents<index_t, dyn, 3, 7>>);
static_assert(!std::is_constructible_v<Rows3x8, Dynamic<2>>);
static_assert(std::is_convertible_v<Extents<int, dyn, 3, 8>, Rows3x8>);
static_assert(!std::is_convertible_v<int, Dynamic<1>>);
static_assert(std::is_constructible_v<Rows3x8, int>);
static_assert(std::is_constructible_v<Rows3x8, int, int, int>);
static_assert(!std::is_constructible_v<Rows3x8, int, int>);
static_assert(!std::is_constructible_v<Rows3x8, char const*>);

TEST(Extents, TakeAllSizesOrTheRunTimeOnes)
{
  using Mixed = Extents<int, dyn, 3, dyn, 7>;
  EXPECT_EQ(Mixed(5, 6), Mixed(5, 3, 6, 7));
  Mixed const extents(5, 6);
  EXPECT_EQ(extents.extent(0), 5);
  EXPECT_EQ(extents.extent(1), 3);
  EXPECT_EQ(extents.extent(2), 6);
  EXPECT_EQ(extents.extent(3), 7);
  EXPECT_EQ(cardinality(extents), 5 * 3 * 6 * 7);
}

TEST(Extents, StartEmptyWhereSizesAreNotKnown)
{
  EXPECT_EQ(Rows3x8().extent(0), 0);
  EXPECT_EQ(Rows3x8().extent(1), 3);
  EXPECT_EQ(cardinality(Rows3x8()), 0);
}

TEST(Extents, CompareSizesWhateverTheTypes)
{
  EXPECT_TRUE(Rows3x8(5) == Dynamic<3>(5, 3, 8));
  EXPECT_TRUE((Extents<std::int32_t, 5, dyn, 8>(3) == Rows3x8(5)));
  EXPECT_FALSE(Rows3x8(5) == Dynamic<3>(5, 8, 3));
  EXPECT_FALSE(Rows3x8(5) == Dynamic<2>(5, 3));
}

TEST(Extents, ConvertKeepingSizes)
{
  Dynamic<3> const dynamic = Rows3x8(5);
  EXPECT_EQ(dynamic, Rows3x8(5));
  EXPECT_EQ(Rows3x8(dynamic), Rows3x8(5));
  EXPECT_EQ((Extents<std::int32_t, dyn, dyn, 8>(dynamic).extent(0)), 5);
}

template <class Call>
std::string refusal(Call const& call)
{
  try {
    call();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Extents, RefuseWhatContradictsAStaticSize)
{
  using Columns = Extents<index_t, dyn, 10>;
  std::string const told = "extents: index 1 has the static size 10 and was given 7; give the "
                           "run-time sizes alone, or make that size dyn";
  EXPECT_EQ(refusal([] { Columns(3, 7); }), told);
  EXPECT_EQ(refusal([] { Columns(Dynamic<2>(3, 7)); }), told);
  EXPECT_NO_THROW(Columns(3, 10));
  EXPECT_NO_THROW(Columns(Dynamic<2>(3, 10)));
}

// In a constant expression, it does not compile.
template <class E, int... size>
concept MadeBeforehand = requires { typename std::bool_constant<(E(size...), true)>; };
static_assert(MadeBeforehand<Extents<int, dyn, 10>, 3, 10> &&
              MadeBeforehand<Extents<int, dyn, 10>, 3>);
static_assert(!MadeBeforehand<Extents<int, dyn, 10>, 3, 7>);
static_assert(!MadeBeforehand<Extents<std::int8_t, dyn>, 128>);

TEST(Extents, RefuseASizeThatTheirIndexTypeDoesNotHold)
{
  EXPECT_EQ(refusal([] { Dynamic<1, std::int32_t>(index_t{1} << 31); }),
            "extents: the size 2147483648 does not fit their index type of 4 bytes; take a "
            "wider one");
  EXPECT_NE(refusal([] {
              Dynamic<1, std::int32_t>(Dynamic<1>(index_t{1} << 31));
            }).find("does not fit"),
            std::string::npos);
  EXPECT_NE(refusal([] { Dynamic<1, unsigned>(-1); }).find("does not fit"), std::string::npos);
}

TEST(Extents, MayBeUnsigned)
{
  using Unsigned = Extents<unsigned, dyn, 3>;
  EXPECT_EQ(Unsigned(5), Dynamic<2>(5, 3));
  EXPECT_EQ(Dynamic<2>(Unsigned(5)), Unsigned(5));
  EXPECT_EQ(cardinality(Unsigned(0xffffffffU)), index_t{0xffffffffU} * 3);
}

TEST(Extents, SayTheMostWhere64BitsDoNotCount)
{
  index_t const large = index_t{1} << 40;
  EXPECT_EQ(cardinality(Dynamic<2>(large, large)), detail::uncountable);
  EXPECT_EQ(cardinality(Dynamic<3>(large, large, 0)), 0);
  EXPECT_EQ(cardinality(Dynamic<2>(large, (index_t{1} << 23) - 1)), large * ((1 << 23) - 1));
}

TEST(Extents, CountBeyondTheirIndexType)
{
  EXPECT_EQ(cardinality(Dynamic<2, std::int32_t>(1 << 20, 1 << 20)), index_t{1} << 40);
}

} // namespace

} // namespace strata
