#include "array/launch/for_each.hpp"
#include "array/launch/walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <typeinfo>
#include <vector>

namespace strata {

namespace {

/// Counts visits by row-major number, of single elements and of packs along index `Packed`.
template <class E, std::size_t Packed>
struct CountVisits
{
  static constexpr char const* name() { return "strata::test::CountVisits"; }
  E extents;
  int* visits;

  template <class... I>
  void operator()(I... i) const
  {
    constexpr int width = (detail::index_width<I> + ... + 0);
    index_t first[] = {detail::first_index(i)...};
    index_t const begin = first[Packed];
    for (int w = 0; w < (width > 0 ? width : 1); ++w) {
      first[Packed] = begin + w;
      index_t place = 0;
      for (std::size_t r = 0; r < sizeof...(I); ++r) {
        EXPECT_GE(first[r], 0);
        EXPECT_LT(first[r], extents.extent(r));
        place = place * extents.extent(r) + first[r];
      }
      Kokkos::atomic_add(&visits[place], 1);
    }
  }
};

template <class Layout, int W, class E>
void expect_each_once(E const& extents)
{
  constexpr std::size_t contiguous = std::is_same_v<Layout, LayoutRight> ? E::rank() - 1 : 0;
  std::vector<int> visits(static_cast<std::size_t>(cardinality(extents)));
  for_each<Host>(in_order_of<Layout>(extents),
                 CountVisits<E, contiguous>{extents, visits.data()}, Packs<W>{});
  Kokkos::fence();
  EXPECT_EQ(visits, std::vector<int>(visits.size(), 1))
      << typeid(Layout).name() << ", packs of " << W << ", " << E::rank() << " indices";
}

template <int W, class E>
void expect_each_once_in_all_orders(E const& extents)
{
  expect_each_once<LayoutLeft, W>(extents);
  expect_each_once<LayoutRight, W>(extents);
  expect_each_once<LayoutTiled<8>, W>(extents);
  expect_each_once<LayoutTiled<32>, W>(extents);
}

template <class E>
void expect_each_once_however(E const& extents)
{
  expect_each_once_in_all_orders<1>(extents);
  expect_each_once_in_all_orders<2>(extents);
  expect_each_once_in_all_orders<8>(extents);
}

TEST(Walk, VisitsEveryIndexOnce)
{
  for (index_t const count : {1, 7, 8, 31, 64, 1001})
    expect_each_once_however(Dynamic<1>(count));
  expect_each_once_however(Dynamic<3>(13, 5, 19));
  expect_each_once_however(Dynamic<3>(40, 3, 16));
  expect_each_once_however(Extents<index_t, dyn, 3, 8>(101));
  expect_each_once_however(Dynamic<4>(9, 3, 2, 11));
  expect_each_once_however(Extents<int, 5, dyn, 7, dyn>(2, 17));
}

TEST(Walk, VisitsEveryIndexOnceWithMoreThreadsThanRows)
{
  expect_each_once_however(Dynamic<1>(1));
  expect_each_once_however(Dynamic<3>(1, 1, 1));
  expect_each_once_however(Dynamic<3>(1, 1, 9));
  expect_each_once_however(Dynamic<3>(9, 1, 1));
}

TEST(Walk, OfAnEmptySpaceVisitsNothing)
{
  expect_each_once_however(Dynamic<1>(0));
  expect_each_once_however(Dynamic<3>(0, 5, 19));
  expect_each_once_however(Dynamic<3>(13, 0, 19));
  expect_each_once_however(Dynamic<3>(13, 5, 0));
}

struct RecordOrder
{
  LayoutTiled<4>::mapping<Dynamic<3>> mapping;
  std::vector<index_t>* offsets;
  void operator()(index_t i, index_t j, index_t k) const
  {
    offsets->push_back(mapping(i, j, k));
  }
};

TEST(Walk, FollowsTheOffsetsOfItsLayout)
{
  Dynamic<3> const extents(10, 3, 5);
  auto const walk = in_order_of<LayoutTiled<4>>(extents);
  std::vector<index_t> offsets;
  RecordOrder const record{LayoutTiled<4>::mapping<Dynamic<3>>(extents), &offsets};
  auto next = walk.outer(0);
  for (index_t run = 0; run < walk.runs(); ++run) {
    auto const outer = walk.outer(run);
    for (std::size_t r = 0; r < 3; ++r)
      EXPECT_EQ(next[r], outer[r]);
    walk.to_next(next);
    for (index_t i = 0; i < walk.length_of(outer); ++i)
      walk.call(record, outer, i);
  }
  for (std::size_t r = 0; r < 3; ++r)
    EXPECT_EQ(next[r], 0);
  EXPECT_EQ(offsets.size(), 150U);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
  EXPECT_FALSE(walk.full_runs());
  EXPECT_TRUE(in_order_of<LayoutTiled<5>>(extents).full_runs());
}

TEST(Divisor, DividesAsTheProcessorDoes)
{
  std::vector<index_t> divisors{(index_t{1} << 31) - 1, index_t{1} << 31,
                                (index_t{1} << 33) + 1};
  for (index_t d = 1; d < 300; ++d)
    divisors.push_back(d);
  for (int bit = 9; bit < 31; ++bit)
    for (index_t const off : {-1, 0, 1})
      divisors.push_back((index_t{1} << bit) + off);
  index_t const last = (index_t{1} << 31) - 1;
  for (index_t const d : divisors) {
    detail::Divisor const divisor(d);
    EXPECT_EQ(divisor.value(), d);
    for (index_t const n : {index_t{0}, index_t{1}, d - 1, d, d + 1, 7 * d - 1, 7 * d,
                            last / d * d, last - 1, last, last + 1, (index_t{1} << 40) + 3}) {
      EXPECT_EQ(divisor.divide(n).quotient, n / d) << n << " / " << d;
      EXPECT_EQ(divisor.divide(n).remainder, n % d) << n << " % " << d;
    }
  }
}

TEST(Unravel, PassesBeyond32Bits)
{
  Kokkos::Array<detail::Divisor, 2> const sizes{detail::Divisor(3),
                                                detail::Divisor(index_t{1} << 34)};
  auto const place = detail::unravel((index_t{2} << 34) + 5, sizes);
  EXPECT_EQ(place[0], 2);
  EXPECT_EQ(place[1], 5);
}

} // namespace

} // namespace strata
