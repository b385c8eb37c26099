#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "array/tests/on_host.hpp"

#include <gtest/gtest.h>

#include <string>
#include <typeinfo>

namespace strata {

namespace {

using namespace test;

/// A kernel whose packs ask for the next ones.
template <class Kernel>
struct FetchingAhead : Kernel
{
  static constexpr bool fetches_ahead = true;
};

template <class T, int W, class Access>
void expect_triad(index_t count)
{
  Dynamic<1> const extents(count);
  // Memory beyond the end tells when a pack spills over it.
  auto const memory = allocate<>("strata::test::a", (count + 64) * index_t{sizeof(T)});
  Array<T, Dynamic<1>, LayoutRight> const all(
      memory, LayoutRight::mapping<Dynamic<1>>(Dynamic<1>(count + 64)));
  Array<T, Dynamic<1>, LayoutRight> const a(memory, LayoutRight::mapping<Dynamic<1>>(extents));
  Vector<T> const b("strata::test::b", extents);
  auto const whole = all.write();
  for_each(count + 64, Set<decltype(whole)>{whole, T(-1)});
  auto const filled = b.write();
  for_each(count, Place<decltype(filled)>{filled});
  auto const out = a.template write<Access>();
  auto const in = b.read();
  using Kernel = Triad<decltype(out), decltype(in), decltype(in)>;
  auto const expect = [&](T factor, std::string const& which) {
    auto const values = on_host(all);
    auto const found = values.read();
    for (index_t i = 0; i < count + 64; ++i)
      EXPECT_EQ(found(i), i < count ? (1 + factor) * static_cast<T>(i % 1000) : T(-1))
          << "at " << i << " of " << count << ", packs of " << W << which;
  };
  for_each(count, Kernel{out, in, in, T(0.5)}, Packs<W>{});
  expect(T(0.5), "");
  for_each(count, FetchingAhead<Kernel>{{out, in, in, T(1.5)}}, Packs<W>{});
  expect(T(1.5), ", fetching ahead");
}

TEST(ForEach, LeavesTailsOffThePacksRight)
{
  for (index_t const count : {0, 1, 7, 8, 9, 63, 64, 65, 1001}) {
    expect_triad<double, 1, AccessDefault>(count);
    expect_triad<double, pack_width<double>, AccessDefault>(count);
    expect_triad<double, pack_width<double>, AccessRestrict>(count);
    expect_triad<double, pack_width<double>, AccessStreaming>(count);
    expect_triad<double, write_width<double>, AccessStreaming>(count);
    expect_triad<float, pack_width<float>, AccessDefault>(count);
    expect_triad<float, pack_width<float>, AccessStreaming>(count);
    expect_triad<float, write_width<float>, AccessStreaming>(count);
  }
}

template <class T, int W>
void expect_sum(index_t count)
{
  Vector<T> const values("strata::test::values", Dynamic<1>(count));
  auto const filled = values.write();
  for_each(count, Place<decltype(filled)>{filled});
  Scalar const sum("strata::test::sum", Extents<index_t>());
  auto const in = values.read();
  reduce(in_order_of<LayoutRight>(in.extents()), Sum<decltype(in)>{in}, sum, Packs<W>{});
  double expected = 0;
  for (index_t i = 0; i < count; ++i)
    expected += static_cast<double>(i % 1000);
  Kokkos::fence();
  EXPECT_EQ(value_of(sum), expected) << count << " in packs of " << W;
}

TEST(Reduce, SumsEveryElementOnce)
{
  for (index_t const count : {0, 1, 7, 31, 32, 33, 64, 1001, 70003}) {
    expect_sum<double, 1>(count);
    expect_sum<double, pack_width<double>>(count);
    expect_sum<float, 1>(count);
    expect_sum<float, pack_width<double>>(count);
  }
}

template <class Layout, int W>
void expect_cube_sum()
{
  Dynamic<3> const extents(21, 5, 19);
  Array<double, Dynamic<3>, Layout> const cube("strata::test::cube", extents);
  auto const filled = cube.write();
  auto const walk = in_order_of<Layout>(extents);
  for_each(walk, Set<decltype(filled)>{filled, 0.5}, Packs<W>{});
  Scalar const sum("strata::test::sum", Extents<index_t>());
  auto const in = cube.read();
  reduce(walk, Sum<decltype(in)>{in}, sum, Packs<W>{});
  Kokkos::fence();
  EXPECT_EQ(value_of(sum), 21 * 5 * 19 * 0.5) << typeid(Layout).name() << ", packs of " << W;
}

TEST(Reduce, SumsSpacesOfSeveralIndices)
{
  auto const expect = []<class Layout>() {
    expect_cube_sum<Layout, 1>();
    expect_cube_sum<Layout, pack_width<double>>();
  };
  expect.operator()<LayoutLeft>();
  expect.operator()<LayoutRight>();
  expect.operator()<LayoutTiled<32>>();
}

} // namespace

} // namespace strata
