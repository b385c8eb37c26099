#include "array/dense/array.hpp"
#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "measure/work.hpp"
#include "testing/counted.hpp"
#include "testing/touched.hpp"

#include <gtest/gtest.h>

// What a kernel says of its work is what it does: operations counted by its scalars, elements
// by its access rule.

namespace strata {

namespace {

using Real = testing::Counted<double>;
using Tiled = Array<Real, Dynamic<3>, LayoutTiled<8>, HostSpace>;
using AccessHere = AccessIn<testing::AccessTouched, HostSpace>;
using Written = Span<Real, Dynamic<3>, LayoutTiled<8>, AccessHere>;
using Read = Span<Real const, Dynamic<3>, LayoutTiled<8>, AccessHere>;

class WorkTest : public ::testing::Test
{
protected:
  WorkTest()
  {
    for (auto const* values : {&a_, &b_, &c_}) {
      auto const span = values->write();
      for_each<Host>(in_order_of<LayoutRight>(values->extents()),
                     Set<decltype(span)>{span, 1.5});
    }
    Kokkos::fence();
  }
  static Written write(Tiled const& values) { return values.write<testing::AccessTouched>(); }
  static Read read(Tiled const& values) { return values.read<testing::AccessTouched>(); }

  template <class Kernel>
  void expect_work(Kernel const& kernel)
  {
    auto const claimed = work::of(kernel, a_.size());
    EXPECT_EQ(testing::Operations::all(), claimed.flops) << Kernel::name();
    EXPECT_EQ(testing::Touches::bytes_read(), claimed.bytes_read) << Kernel::name();
    EXPECT_EQ(testing::Touches::bytes_written(), claimed.bytes_written) << Kernel::name();
  }
  template <class Kernel>
  void launch(Kernel const& kernel)
  {
    testing::Operations::restart();
    testing::Touches::restart();
    for_each<Host>(in_order_of<LayoutLeft>(a_.extents()), kernel);
    Kokkos::fence();
    expect_work(kernel);
  }

  Tiled a_{"strata::test::a", Dynamic<3>(11, 3, 5)};
  Tiled b_{"strata::test::b", Dynamic<3>(11, 3, 5)};
  Tiled c_{"strata::test::c", Dynamic<3>(11, 3, 5)};
};

TEST_F(WorkTest, OfSet)
{
  launch(Set<Written>{write(a_), 2.0});
}
TEST_F(WorkTest, OfCopy)
{
  launch(Copy<Read, Written>{read(a_), write(c_)});
}
TEST_F(WorkTest, OfTriad)
{
  launch(Triad<Written, Read, Read>{write(a_), read(b_), read(c_), 2.0});
  EXPECT_EQ(a_.read<AccessDefault>()(10, 2, 4).value, 4.5);
}

TEST_F(WorkTest, OfSum)
{
  Sum<Read> const kernel{read(a_)};
  testing::Operations::restart();
  testing::Touches::restart();
  Real sum = 0;
  for (index_t i = 0; i < 11; ++i) // a reduction would add its threads' sums as well
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 5; ++k)
        kernel(sum, i, j, k);
  expect_work(kernel);
  EXPECT_EQ(sum.value, 11 * 3 * 5 * 1.5);
}

TEST_F(WorkTest, IsMissedByAKernelThatSaysLess)
{
  testing::Touches::restart();
  write(a_)(0, 0, 0) = read(b_)(10, 2, 4);
  EXPECT_EQ(testing::Touches::bytes_written(), 8);
  EXPECT_EQ(testing::Touches::bytes_written(a_.data(), 8), 8);
  EXPECT_EQ(testing::Touches::bytes_written(a_.data() + 1, 8), 0);
  EXPECT_EQ(testing::Touches::bytes_read(b_.data(), b_.bytes_for(b_.mapping())), 8);
  EXPECT_EQ(testing::Touches::bytes_read(a_.data(), a_.bytes_for(a_.mapping())), 0);
}

} // namespace

} // namespace strata
