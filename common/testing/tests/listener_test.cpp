#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strata::testing {

namespace {

using Labels = std::vector<std::string>;

/// Larger than the scratch for sums that Kokkos begins with on up to 2048 host threads.
struct Large
{
  static constexpr int size = 8192;
  double value[size] = {};

  KOKKOS_FUNCTION Large& operator+=(Large const& other)
  {
    for (int n = 0; n < size; ++n)
      value[n] += other.value[n];
    return *this;
  }
};

struct AddOnes
{
  static constexpr char const* name() { return "strata::test::AddOnes"; }
  KOKKOS_FUNCTION void operator()(Large& sum, index_t) const
  {
    sum.value[Large::size - 1] += 1;
  }
};

void allocate_without_a_label()
{
  HostSpace const space;
  space.deallocate(space.allocate(64), 64);
}

TEST(Listener, HearsMemoryWithoutALabel)
{
  Listener const listener;
  allocate_without_a_label();
  EXPECT_EQ(listener.allocations(), Labels{"[unlabeled]"});
  EXPECT_EQ(listener.strangers(), Labels{"[unlabeled]"});
}

TEST(Listener, SparesTheScratchOfALaunchAndHearsOn)
{
  Listener const listener;
  auto const sum = reduced<Large, Host>(in_order_of<LayoutRight>(Dynamic<1>(5)), AddOnes{});
  EXPECT_EQ(sum.value[Large::size - 1], 5);
  EXPECT_EQ(listener.launches(), Labels{AddOnes::name()});
  EXPECT_EQ(listener.allocations(), Labels());
  allocate_without_a_label();
  EXPECT_EQ(listener.strangers(), Labels{"[unlabeled]"});
}

} // namespace

} // namespace strata::testing
