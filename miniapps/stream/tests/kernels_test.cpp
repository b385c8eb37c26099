#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "kernels/kernel_table.hpp"
#include "measure/work.hpp"
#include "testing/counted.hpp"
#include "testing/touched.hpp"

#include <gtest/gtest.h>

namespace strata::stream {

namespace {

using Real = testing::Counted<double>;
using Values = Array<Real, Dynamic<1>, LayoutRight, HostSpace>;
using Touched = AccessIn<testing::AccessTouched, HostSpace>;
using Written = Span<Real, Dynamic<1>, LayoutRight, Touched>;
using Read = Span<Real const, Dynamic<1>, LayoutRight, Touched>;
constexpr index_t count = 131;

/// What a kernel says of its work is what it does: operations counted by its scalars, elements
/// by its access rule.
class StreamWork : public ::testing::Test
{
protected:
  StreamWork()
  {
    for (auto const* values : {&a_, &b_, &c_}) {
      auto const span = values->write();
      for (index_t i = 0; i < count; ++i)
        span(i) = 1.5;
    }
    testing::Operations::restart();
    testing::Touches::restart();
  }
  static Written write(Values const& values) { return values.write<testing::AccessTouched>(); }
  static Read read(Values const& values) { return values.read<testing::AccessTouched>(); }

  template <class Kernel>
  void expect_work(Kernel const& kernel)
  {
    auto const claimed = work::of(kernel, count);
    EXPECT_EQ(testing::Operations::all(), claimed.flops) << Kernel::name();
    EXPECT_EQ(testing::Touches::bytes_read(), claimed.bytes_read) << Kernel::name();
    EXPECT_EQ(testing::Touches::bytes_written(), claimed.bytes_written) << Kernel::name();
  }
  template <class Kernel>
  void launch(Kernel const& kernel)
  {
    for_each<Host>(count, kernel);
    Kokkos::fence();
    expect_work(kernel);
  }

  Values a_{"strata::test::a", Dynamic<1>(count)};
  Values b_{"strata::test::b", Dynamic<1>(count)};
  Values c_{"strata::test::c", Dynamic<1>(count)};
};

TEST_F(StreamWork, OfScale)
{
  launch(Scale<Written, Read>{write(b_), read(c_), 2.0});
}
TEST_F(StreamWork, OfAdd)
{
  launch(Add<Read, Read, Written>{read(a_), read(b_), write(c_)});
}
TEST_F(StreamWork, OfNstream)
{
  launch(Nstream<Written, Read, Read>{write(a_), read(b_), read(c_), 2.0});
  EXPECT_EQ(a_.read<AccessDefault>()(count - 1).value, 6);
}

TEST_F(StreamWork, OfDot)
{
  Dot<Read, Read> const kernel{read(a_), read(b_)};
  Real sum = 0;
  for (index_t i = 0; i < count; ++i) // a reduction would add its threads' sums as well
    kernel(sum, i);
  expect_work(kernel);
  EXPECT_EQ(sum.value, 2.25 * count);
}

} // namespace

} // namespace strata::stream
