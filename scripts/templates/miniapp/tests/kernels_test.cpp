#include "kernels.hpp"

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "measure/work.hpp"
#include "testing/counted.hpp"
#include "testing/touched.hpp"

#include <gtest/gtest.h>

namespace strata::appname {

namespace {

TEST(Scale, DoesTheWorkThatItNames)
{
  using Real = testing::Counted<double>;
  using Vector = Array<Real, Dynamic<1>, LayoutRight, HostSpace>;
  constexpr index_t count = 131;
  Vector const x("strata::test::x", Dynamic<1>(count));
  Vector const y("strata::test::y", Dynamic<1>(count));
  for (index_t i = 0; i < count; ++i)
    x.write()(i) = 1.5;
  testing::Operations::restart();
  testing::Touches::restart();

  using Read = decltype(x.read<testing::AccessTouched>());
  using Written = decltype(y.write<testing::AccessTouched>());
  Scale<Read, Written> const scale{x.read<testing::AccessTouched>(),
                                   y.write<testing::AccessTouched>(), 2.0};
  for_each<Host>(count, scale);
  Kokkos::fence();

  auto const named = work::of(scale, count);
  EXPECT_EQ(testing::Operations::all(), named.flops);
  EXPECT_EQ(testing::Touches::bytes_read(), named.bytes_read);
  EXPECT_EQ(testing::Touches::bytes_written(), named.bytes_written);
  EXPECT_EQ(y.read<AccessDefault>()(count - 1).value, 3);
}

} // namespace

} // namespace strata::appname
