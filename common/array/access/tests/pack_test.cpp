#include "array/access/pack.hpp"
#include "array/access/transpose.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace strata {

namespace {

static_assert(sizeof(Pack<double, 4>) == 32 && alignof(Pack<double, 4>) == 32);
static_assert(std::is_trivially_copyable_v<Pack<float, 8>>);
static_assert(pack_width<double, Host> == register_bytes / 8);
static_assert(pack_width<float, Host> == register_bytes / 4);

template <class T, int W>
Pack<T, W> counting_from(T first)
{
  Pack<T, W> pack;
  for (int w = 0; w < W; ++w)
    pack.lane[w] = first + static_cast<T>(w);
  return pack;
}

template <class T, int W>
void expect_arithmetic()
{
  auto const a = counting_from<T, W>(1);
  auto const b = counting_from<T, W>(10);
  auto const sum = a + b;
  auto const difference = b - a;
  auto const product = a * b;
  auto const scaled = T(3) * a;
  auto grown = a;
  grown += b;
  for (int w = 0; w < W; ++w) {
    T const x = static_cast<T>(1 + w);
    T const y = static_cast<T>(10 + w);
    EXPECT_EQ(sum.lane[w], x + y);
    EXPECT_EQ(difference.lane[w], y - x);
    EXPECT_EQ(product.lane[w], x * y);
    EXPECT_EQ(scaled.lane[w], 3 * x);
    EXPECT_EQ(grown.lane[w], x + y);
  }
}

TEST(Pack, ComputesLaneByLane)
{
  expect_arithmetic<double, 2>();
  expect_arithmetic<double, 8>();
  expect_arithmetic<float, 4>();
  expect_arithmetic<float, 16>();
  expect_arithmetic<std::int32_t, 4>();
}

TEST(Pack, ConvertsAsItsScalarDoes)
{
  auto const wide = counting_from<double, 4>(0.1);
  auto const narrow = convert<float>(wide);
  static_assert(std::is_same_v<decltype(narrow), Pack<float, 4> const>);
  for (int w = 0; w < 4; ++w)
    EXPECT_EQ(narrow.lane[w], convert<float>(wide.lane[w]));
  static_assert(std::is_same_v<decltype(convert<double>(wide)), Pack<double, 4>>);
}

TEST(Pack, HoldsBoolsAsBytes)
{
  static_assert(sizeof(Pack<bool, 8>) == 8);
  Pack<bool, 8> const all(true);
  for (int w = 0; w < 8; ++w)
    EXPECT_EQ(all.lane[w], 1);
}

template <class T, int W>
void expect_transposed()
{
  Pack<T, W> rows[W];
  for (int i = 0; i < W; ++i)
    rows[i] = counting_from<T, W>(static_cast<T>(W * i));
  transpose(rows);
  for (int i = 0; i < W; ++i)
    for (int j = 0; j < W; ++j)
      EXPECT_EQ(rows[i].lane[j], static_cast<T>(W * j + i)) << W << ": " << i << ' ' << j;
}

TEST(Pack, ExchangesRowsAndLanes)
{
  expect_transposed<double, 2>();
  expect_transposed<double, 4>();
  expect_transposed<double, 8>();
  expect_transposed<float, 4>();
  expect_transposed<float, 16>();
}

TEST(Pack, SumsItsLanes)
{
  EXPECT_EQ(lane_sum(counting_from<double, 8>(1)), 36);
  EXPECT_EQ(lane_sum(2.5), 2.5);
}

} // namespace

} // namespace strata
