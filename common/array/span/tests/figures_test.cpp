// The examples of the papers that the core follows, as tests; S1's Fig 2 is array_test.cpp's.

#include "array/launch/reduce.hpp"
#include "array/span/subspan.hpp"
#include "array/tests/on_host.hpp"

#include <gtest/gtest.h>

namespace strata {

namespace {

using namespace test;

/// S1 Fig 3: averages terms of a rank-3 array into those of a rank-2 array.
template <class X, class Y>
struct Average
{
  static constexpr char const* name() { return "strata::test::Average"; }
  X x;
  Y y;
  KOKKOS_FUNCTION void operator()(index_t p) const
  {
    for (index_t i = 0; i < x.extent(1); ++i) {
      double sum = 0;
      for (index_t j = 0; j < x.extent(2); ++j)
        sum += x(p, i, j);
      y(p, i) = sum / static_cast<double>(x.extent(2));
    }
  }
};

template <class X>
struct SetTerms
{
  static constexpr char const* name() { return "strata::test::SetTerms"; }
  X x;
  KOKKOS_FUNCTION void operator()(index_t p, index_t i, index_t j) const
  {
    x(p, i, j) = static_cast<double>(100 * p + 10 * i + j);
  }
};

TEST(Figures, AverageAsS1Figure3)
{
  Array<double, Dynamic<3>> const x("strata::test::x", Dynamic<3>(53, 10, 21));
  Array<double, Dynamic<2>> const y("strata::test::y", Dynamic<2>(53, 10));
  auto const terms = x.write();
  for_each(in_order_of<LayoutDefault>(x.extents()), SetTerms<decltype(terms)>{terms});
  auto const in = x.read();
  auto const out = y.write();
  for_each(53, Average<decltype(in), decltype(out)>{in, out});
  auto const values = on_host(y);
  auto const found = values.read();
  for (index_t p = 0; p < 53; ++p)
    for (index_t i = 0; i < 10; ++i)
      EXPECT_EQ(found(p, i), static_cast<double>(100 * p + 10 * i + 10));
}

/// S1 Fig 4: four sums in one pass.
struct Moments
{
  double x = 0, y = 0, z = 0, mass = 0;
  KOKKOS_FUNCTION Moments& operator+=(Moments const& other)
  {
    x += other.x;
    y += other.y;
    z += other.z;
    mass += other.mass;
    return *this;
  }
  /// Kokkos 3 adds the sums of its threads this way.
  KOKKOS_FUNCTION void operator+=(Moments const volatile& other) volatile
  {
    x = x + other.x;
    y = y + other.y;
    z = z + other.z;
    mass = mass + other.mass;
  }
};

} // namespace

} // namespace strata

template <>
struct Kokkos::reduction_identity<strata::Moments>
{
  KOKKOS_FUNCTION static strata::Moments sum() { return {}; }
};

namespace strata {

namespace {

template <class Mass, class Coordinates>
struct CentreOfMass
{
  static constexpr char const* name() { return "strata::test::CentreOfMass"; }
  Mass mass;
  Coordinates coordinates;
  KOKKOS_FUNCTION void operator()(Moments& sum, index_t p) const
  {
    double const m = mass(p);
    sum += {m * coordinates(p, 0), m * coordinates(p, 1), m * coordinates(p, 2), m};
  }
};

template <class Mass, class Coordinates>
struct SetBodies
{
  static constexpr char const* name() { return "strata::test::SetBodies"; }
  Mass mass;
  Coordinates coordinates;
  KOKKOS_FUNCTION void operator()(index_t p) const
  {
    mass(p) = static_cast<double>(1 + p % 3);
    for (index_t d = 0; d < 3; ++d)
      coordinates(p, d) = static_cast<double>(p * (d + 1));
  }
};

TEST(Figures, FindTheCentreOfMassAsS1Figure4)
{
  index_t const count = 1003;
  Vector<double> const mass("strata::test::mass", Dynamic<1>(count));
  Array<double, Extents<index_t, dyn, 3>> const coordinates("strata::test::coordinates",
                                                            Extents<index_t, dyn, 3>(count));
  auto const m = mass.write();
  auto const x = coordinates.write();
  for_each(count, SetBodies<decltype(m), decltype(x)>{m, x});
  Array<Moments, Extents<index_t>, LayoutRight> const sum("strata::test::moments",
                                                          Extents<index_t>());
  auto const masses = mass.read<AccessDefault>();
  auto const places = coordinates.read();
  reduce(in_order_of<LayoutRight>(mass.extents()),
         CentreOfMass<decltype(masses), decltype(places)>{masses, places}, sum);
  Kokkos::fence();
  auto const found = value_of(sum);
  Moments expected;
  for (index_t p = 0; p < count; ++p) {
    auto const w = static_cast<double>(1 + p % 3);
    auto const at = static_cast<double>(p);
    expected += {w * at, w * 2 * at, w * 3 * at, w};
  }
  EXPECT_EQ(found.x, expected.x);
  EXPECT_EQ(found.y, expected.y);
  EXPECT_EQ(found.z, expected.z);
  EXPECT_EQ(found.mass, expected.mass);
}

/// S3's outer product, through parts of the operands.
template <class A, class B, class C>
struct OuterProduct
{
  static constexpr char const* name() { return "strata::test::OuterProduct"; }
  A a;
  B b;
  C c;
  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    auto const row = subspan(c, i, full_extent);
    for (index_t j = 0; j < row.extent(0); ++j)
      row(j) = a(i) * b(j);
  }
};

/// The same as S3 writes it, over both indices.
template <class A, class B, class C>
struct OuterProductOverBoth
{
  static constexpr char const* name() { return "strata::test::OuterProductOverBoth"; }
  A a;
  B b;
  C c;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const { c(i, j) = a(i) * b(j); }
};

template <class Layout>
void expect_outer_product(bool over_both)
{
  Vector<double> const a("strata::test::a", Dynamic<1>(29));
  Vector<double> const b("strata::test::b", Dynamic<1>(17));
  Array<double, Dynamic<2>, Layout> const c("strata::test::c", Dynamic<2>(29, 17));
  auto const left = a.write();
  auto const right = b.write();
  for_each(29, Place<decltype(left)>{left});
  for_each(17, Place<decltype(right)>{right});
  auto const x = a.read();
  auto const y = b.read();
  auto const out = c.write();
  if (over_both)
    for_each(in_order_of<Layout>(c.extents()),
             OuterProductOverBoth<decltype(x), decltype(y), decltype(out)>{x, y, out});
  else
    for_each(29, OuterProduct<decltype(x), decltype(y), decltype(out)>{x, y, out});
  auto const values = on_host(c);
  auto const found = values.read();
  for (index_t i = 0; i < 29; ++i)
    for (index_t j = 0; j < 17; ++j)
      EXPECT_EQ(found(i, j), static_cast<double>(i * j));
}

TEST(Figures, MakeS3sOuterProductThroughPartsAndOverBothIndices)
{
  for (bool const over_both : {false, true}) {
    expect_outer_product<LayoutLeft>(over_both);
    expect_outer_product<LayoutRight>(over_both);
  }
}

} // namespace

} // namespace strata
