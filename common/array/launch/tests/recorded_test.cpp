#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/recorded.hpp"
#include "array/launch/reduce.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace strata {

namespace {

using Counters = Array<std::int64_t, Dynamic<1>, LayoutRight>;

/// x(i) += *sum + 1
struct AddSum
{
  static constexpr char const* name() { return "strata::AddSum"; }
  Span<std::int64_t, Dynamic<1>, LayoutRight> x;
  std::int64_t const* sum;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) += *sum + 1; }
};

struct SumOf
{
  static constexpr char const* name() { return "strata::SumOf"; }
  Span<std::int64_t, Dynamic<1>, LayoutRight> x;
  template <class S>
  KOKKOS_FUNCTION void operator()(S& sum, index_t i) const
  {
    sum += x(i);
  }
};

struct Zero
{
  static constexpr char const* name() { return "strata::Zero"; }
  Span<std::int64_t, Dynamic<1>, LayoutRight> x;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) = 0; }
};

} // namespace

TEST(Recorded, MakesTheSameLaunchesAtEveryCall)
{
  constexpr index_t n = 5;
  Counters const x("strata::recorded_test::x", Dynamic<1>(n));
  Array<std::int64_t, Extents<index_t>, LayoutRight> const sum("strata::recorded_test::sum");
  for_each(n, Zero{x.write()});
  Recorded step([&] {
    reduce(in_order_of<LayoutRight>(Dynamic<1>(n)), SumOf{x.write()}, sum);
    for_each(n, AddSum{x.write(), sum.data()});
  });
  std::int64_t expected = 0; // of every element
  for (int call = 1; call <= 6; ++call) {
    step();
    expected += n * expected + 1;
    EXPECT_EQ(
        (reduced<std::int64_t>(in_order_of<LayoutRight>(Dynamic<1>(n)), SumOf{x.write()})),
        n * expected)
        << "call " << call;
  }
}

} // namespace strata
