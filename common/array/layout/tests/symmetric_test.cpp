
#include "array/dense/array.hpp"
#include "array/launch/scale.hpp"
#include "array/layout/symmetric.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata {

namespace {

template <Triangle Stored, class E>
void expect_packed(E const& extents)
{
  using Mapping = typename LayoutSymmetric<Stored>::template mapping<E>;
  static_assert(std::is_trivially_copyable_v<Mapping>);
  static_assert(!Mapping::is_always_unique() && Mapping::is_always_exhaustive() &&
                !Mapping::is_always_strided());
  Mapping const mapping(extents);
  index_t const n = extents.extent(0);
  EXPECT_EQ(mapping.required_span_size(), n * (n + 1) / 2);
  EXPECT_EQ(mapping.is_unique(), n < 2);
  EXPECT_TRUE(mapping.is_exhaustive());
  EXPECT_FALSE(mapping.is_strided());
  EXPECT_TRUE(mapping == Mapping(extents));
  std::set<index_t> offsets;
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j <= i; ++j) {
      EXPECT_EQ(mapping(i, j), mapping(j, i));
      EXPECT_EQ(mapping(i, j), i * (i + 1) / 2 + j);
      EXPECT_TRUE(offsets.insert(mapping(i, j)).second);
    }
  EXPECT_EQ(static_cast<index_t>(offsets.size()), mapping.required_span_size());
  if (n > 0) {
    EXPECT_EQ(*offsets.rbegin() + 1, mapping.required_span_size());
  }
}

TEST(LayoutSymmetric, PacksATriangleForEveryMixOfExtents)
{
  expect_packed<Triangle::lower>(Extents<int, 13, 13>());
  expect_packed<Triangle::lower>(Extents<index_t, dyn, 13>(13));
  expect_packed<Triangle::upper>(Dynamic<2, int>(13, 13));
  expect_packed<Triangle::upper>(Dynamic<2>(16, 16));
  expect_packed<Triangle::lower>(Dynamic<2>(1, 1));
  expect_packed<Triangle::lower>(Dynamic<2>(0, 0));
}

template <class Mapping, class E>
void expect_refused(E const& extents, std::string const& told)
{
  try {
    Mapping const mapping(extents);
    FAIL() << "it has " << mapping.required_span_size() << " elements";
  } catch (std::invalid_argument const& error) {
    EXPECT_EQ(error.what(), told);
  }
}

TEST(LayoutSymmetric, RefusesWhatIsNotSquare)
{
  std::string const told =
      "LayoutSymmetric: 9 x 60 elements are no symmetric matrix, which has "
      "as many rows as columns";
  expect_refused<LayoutSymmetric<>::mapping<Dynamic<2>>>(Dynamic<2>(9, 60), told);
  using Fixed = Extents<int, dyn, 60>;
  expect_refused<LayoutSymmetric<Triangle::upper>::mapping<Fixed>>(Fixed(9), told);
}

TEST(LayoutSymmetric, CountsBeyond32Bits)
{
  LayoutSymmetric<>::mapping<Dynamic<2>> const large(Dynamic<2>(100'000, 100'000));
  EXPECT_EQ(large(99'999, 99'999) + 1, large.required_span_size());
  EXPECT_EQ(large.required_span_size(), 5'000'050'000);
  // n(n+1) itself would not fit 32 bits.
  LayoutSymmetric<>::mapping<Dynamic<2, int>> const narrow(Dynamic<2, int>(60'000, 60'000));
  EXPECT_EQ(narrow.required_span_size(), 1'800'030'000);
  expect_refused<LayoutSymmetric<>::mapping<Dynamic<2, int>>>(
      Dynamic<2, int>(66'000, 66'000),
      "a mapping of extents needs 2178033000 elements, more than their index type counts "
      "(2147483647); take a wider one, as Extents<strata::index_t, ...>");
}

using Matrix = Array<double, Dynamic<2>, LayoutSymmetric<>, HostSpace>;

TEST(Scale, VisitsEachStoredElementOnce)
{
  index_t const n = 7;
  Matrix const matrix("strata::test::matrix", Dynamic<2>(n, n));
  auto const a = matrix.write();
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j <= i; ++j)
      a(i, j) = 10.0 * static_cast<double>(i) + static_cast<double>(j);
  scale<Host>(a, 3.0);
  Kokkos::fence();
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) {
      auto const high = static_cast<double>(std::max(i, j));
      auto const low = static_cast<double>(std::min(i, j));
      EXPECT_EQ(a(i, j), 3 * (10 * high + low)) << i << " " << j;
    }
}

TEST(Codomain, HasTheStoredElementsInMemoryOrder)
{
  Matrix const matrix("strata::test::matrix", Dynamic<2>(5, 5));
  auto const stored = codomain(matrix.write());
  EXPECT_EQ(stored.size(), 15);
  for (index_t k = 0; k < stored.size(); ++k)
    stored(k) = static_cast<double>(k);
  EXPECT_EQ(matrix.read()(4, 2), 12);
  EXPECT_EQ(matrix.read()(2, 4), 12);
}

} // namespace

} // namespace strata
