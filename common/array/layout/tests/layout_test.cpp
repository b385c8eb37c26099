#include "array/layout/layout.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan)
namespace md = std;
#define STRATA_HAS_MDSPAN
#elif __has_include(<mdspan/mdspan.hpp>)
#include <mdspan/mdspan.hpp>
namespace md = MDSPAN_IMPL_STANDARD_NAMESPACE;
#define STRATA_HAS_MDSPAN
#endif

#if defined(STRATA_HAS_MDSPAN)
#include "array/access/access.hpp"
#endif

namespace strata {

namespace {

static_assert(std::is_trivially_copyable_v<LayoutRight::mapping<Dynamic<3>>>);
static_assert(sizeof(LayoutLeft::mapping<Extents<int, dyn, 3, 8>>) == sizeof(int));

/// Calls f(i, j, k) for all indices, last fastest.
template <class E, class F>
void each_index(E const& extents, F const& f)
{
  for (index_t i = 0; i < static_cast<index_t>(extents.extent(0)); ++i)
    for (index_t j = 0; j < static_cast<index_t>(extents.extent(1)); ++j)
      for (index_t k = 0; k < static_cast<index_t>(extents.extent(2)); ++k)
        f(i, j, k);
}

/// Different indices have different offsets, within the required size.
template <class Mapping>
void expect_unique(Mapping const& mapping)
{
  auto const size = static_cast<index_t>(mapping.required_span_size());
  std::set<index_t> offsets;
  each_index(mapping.extents(), [&](index_t i, index_t j, index_t k) {
    auto const offset = static_cast<index_t>(mapping(i, j, k));
    EXPECT_GE(offset, 0);
    EXPECT_LT(offset, size);
    EXPECT_TRUE(offsets.insert(offset).second) << i << " " << j << " " << k;
  });
  EXPECT_EQ(static_cast<index_t>(offsets.size()), cardinality(mapping.extents()));
  EXPECT_EQ(mapping.is_exhaustive(), static_cast<index_t>(offsets.size()) == size);
}

template <class Mapping>
void expect_strided(Mapping const& mapping)
{
  static_assert(Mapping::is_always_strided() && Mapping::is_always_unique());
  each_index(mapping.extents(), [&](index_t i, index_t j, index_t k) {
    EXPECT_EQ(mapping(i, j, k),
              i * mapping.stride(0) + j * mapping.stride(1) + k * mapping.stride(2));
  });
}

/// Calls f(extents) for static, mixed and dynamic extents of the same odd sizes, in 32- and
/// 64-bit indices, and for an empty and a single-element space.
template <class F>
void each_mix(F const& f)
{
  f(Extents<int, 13, 3, 7>());
  f(Extents<index_t, dyn, 3, 7>(13));
  f(Extents<int, 13, dyn, 7>(3));
  f(Extents<index_t, 13, 3, dyn>(7));
  f(Extents<index_t, dyn, dyn, 7>(13, 3));
  f(Extents<int, dyn, 3, dyn>(13, 7));
  f(Extents<index_t, 13, dyn, dyn>(3, 7));
  f(Dynamic<3, int>(13, 3, 7));
  f(Dynamic<3>(13, 3, 7));
  f(Dynamic<3>(16, 2, 5));
  f(Dynamic<3>(1, 1, 1));
  f(Dynamic<3>(13, 0, 7));
}

TEST(LayoutRight, IsRowMajorForEveryMixOfExtents)
{
  each_mix([](auto const& extents) {
    using E = std::remove_cvref_t<decltype(extents)>;
    LayoutRight::mapping<E> const mapping(extents);
    expect_unique(mapping);
    expect_strided(mapping);
    each_index(extents, [&](index_t i, index_t j, index_t k) {
      EXPECT_EQ(mapping(i, j, k), (i * extents.extent(1) + j) * extents.extent(2) + k);
    });
  });
}

TEST(LayoutLeft, IsColumnMajorForEveryMixOfExtents)
{
  each_mix([](auto const& extents) {
    using E = std::remove_cvref_t<decltype(extents)>;
    LayoutLeft::mapping<E> const mapping(extents);
    expect_unique(mapping);
    expect_strided(mapping);
    each_index(extents, [&](index_t i, index_t j, index_t k) {
      EXPECT_EQ(mapping(i, j, k), i + extents.extent(0) * (j + extents.extent(1) * k));
    });
  });
}

template <std::size_t W>
void expect_tiled()
{
  each_mix([](auto const& extents) {
    using E = std::remove_cvref_t<decltype(extents)>;
    typename LayoutTiled<W>::template mapping<E> const mapping(extents);
    static_assert(!decltype(mapping)::is_always_strided());
    expect_unique(mapping);
    index_t const w = W;
    each_index(extents, [&](index_t i, index_t j, index_t k) {
      EXPECT_EQ(mapping(i, j, k),
                ((i / w * extents.extent(1) + j) * extents.extent(2) + k) * w + i % w);
    });
    // The last tile is padded.
    EXPECT_EQ(mapping.required_span_size(),
              (extents.extent(0) + w - 1) / w * w * extents.extent(1) * extents.extent(2));
  });
}

TEST(LayoutTiled, FillsTileAfterTileForEveryMixOfExtents)
{
  expect_tiled<1>();
  expect_tiled<3>();
  expect_tiled<8>();
  expect_tiled<32>();
}

TEST(LayoutStride, TakesAnyStrides)
{
  using Mapping = LayoutStride::mapping<Dynamic<3>>;
  Mapping const padded(Dynamic<3>(13, 3, 7), {1, 16, 50});
  expect_unique(padded);
  expect_strided(padded);
  EXPECT_FALSE(padded.is_exhaustive());
  EXPECT_EQ(padded.required_span_size(), 12 + 2 * 16 + 6 * 50 + 1);
  EXPECT_EQ(Mapping(Dynamic<3>(13, 0, 7), {1, 16, 50}).required_span_size(), 0);
  EXPECT_FALSE(padded == Mapping(Dynamic<3>(13, 3, 7), {1, 16, 48}));
  EXPECT_FALSE(padded == Mapping(Dynamic<3>(12, 3, 7), {1, 16, 50}));
}

TEST(LayoutStride, RepeatsTheOffsetsOfOtherStridedLayouts)
{
  each_mix([](auto const& extents) {
    using E = std::remove_cvref_t<decltype(extents)>;
    auto const expect_same = [&](auto const& other) {
      LayoutStride::mapping<Dynamic<3>> const strided(other);
      expect_unique(strided);
      each_index(extents, [&](index_t i, index_t j, index_t k) {
        EXPECT_EQ(strided(i, j, k), other(i, j, k));
      });
    };
    expect_same(LayoutLeft::mapping<E>(extents));
    expect_same(LayoutRight::mapping<E>(extents));
  });
}

// A tiled mapping has no strides to take.
static_assert(!std::is_constructible_v<LayoutStride::mapping<Dynamic<3>>,
                                       LayoutTiled<8>::mapping<Dynamic<3>>>);

TEST(Layouts, OfOneIndexAndOfNone)
{
  EXPECT_EQ(LayoutLeft::mapping<Dynamic<1>>(Dynamic<1>(5))(3), 3);
  EXPECT_EQ(LayoutRight::mapping<Dynamic<1>>(Dynamic<1>(5))(3), 3);
  EXPECT_EQ(LayoutTiled<4>::mapping<Dynamic<1>>(Dynamic<1>(5))(3), 3);
  EXPECT_EQ(LayoutTiled<4>::mapping<Dynamic<1>>(Dynamic<1>(5)).required_span_size(), 8);
  EXPECT_EQ(LayoutRight::mapping<Extents<index_t>>(Extents<index_t>())(), 0);
  EXPECT_EQ(LayoutRight::mapping<Extents<index_t>>().required_span_size(), 1);
}

template <class Mapping, class... Strides>
std::string mapping_refusal(typename Mapping::extents_type const& extents,
                            Strides const&... strides)
{
  try {
    Mapping const mapping(extents, strides...);
    return std::to_string(mapping.required_span_size()) + " elements";
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
}

TEST(Layouts, RefuseMoreElementsThanTheIndexTypeCounts)
{
  using E = Dynamic<2, int>;
  E const square(65'536, 65'536);
  std::string const told =
      "a mapping of extents needs 4294967296 elements, more than their index type counts "
      "(2147483647); take a wider one, as Extents<strata::index_t, ...>";
  EXPECT_EQ(mapping_refusal<LayoutRight::mapping<E>>(square), told);
  EXPECT_EQ(mapping_refusal<LayoutLeft::mapping<E>>(square), told);
  EXPECT_EQ(mapping_refusal<LayoutTiled<8>::mapping<E>>(square), told);
  EXPECT_EQ(mapping_refusal<LayoutStride::mapping<E>>(square, Kokkos::Array<int, 2>{65'536, 1}),
            told);
  EXPECT_EQ(mapping_refusal<LayoutRight::mapping<Dynamic<2>>>(square), "4294967296 elements");
  using Wide = Dynamic<2, unsigned>;
  EXPECT_EQ(mapping_refusal<LayoutRight::mapping<Wide>>(Wide(65'536, 65'535)),
            "4294901760 elements");
  // The padding of the last tile counts.
  using Row = Dynamic<1, int>;
  Row const most(std::numeric_limits<int>::max());
  EXPECT_EQ(mapping_refusal<LayoutLeft::mapping<Row>>(most), "2147483647 elements");
  EXPECT_EQ(mapping_refusal<LayoutTiled<1>::mapping<Row>>(most), "2147483647 elements");
  EXPECT_NE(mapping_refusal<LayoutTiled<8>::mapping<Row>>(most).find("needs 2147483648"),
            std::string::npos);
  // So do 64 bits.
  Dynamic<3> const large(index_t{1} << 31, index_t{1} << 31, 2);
  EXPECT_NE(mapping_refusal<LayoutRight::mapping<Dynamic<3>>>(large).find("more than"),
            std::string::npos);
  EXPECT_NE(mapping_refusal<LayoutTiled<8>::mapping<Dynamic<3>>>(large).find("more than"),
            std::string::npos);
  EXPECT_NE(mapping_refusal<LayoutStride::mapping<Dynamic<3>>>(
                large, Kokkos::Array<index_t, 3>{index_t{1} << 32, index_t{1} << 32, 1})
                .find("more than"),
            std::string::npos);
  EXPECT_EQ(mapping_refusal<LayoutRight::mapping<Dynamic<2>>>(Dynamic<2>(3, -1)),
            "extents: index 1 has the size -1, below 0");
}

TEST(Layouts, TakeUnsignedIndices)
{
  auto const visit = [](auto const& extents) {
    using E = std::remove_cvref_t<decltype(extents)>;
    expect_unique(LayoutRight::mapping<E>(extents));
    expect_unique(LayoutLeft::mapping<E>(extents));
    expect_unique(typename LayoutTiled<8>::template mapping<E>(extents));
    expect_unique(LayoutStride::mapping<E>(LayoutLeft::mapping<E>(extents)));
  };
  visit(Extents<unsigned, dyn, 3, 7>(13));
  visit(Extents<std::uint64_t, 13, dyn, 7>(3));
  visit(Extents<std::uint16_t, dyn, dyn, dyn>(0, 3, 7));
}

TEST(Layouts, ServeTheStandardsMdspan)
{
#if defined(STRATA_HAS_MDSPAN)
  using E = md::extents<int, md::dynamic_extent, 3, 7>;
  auto const expect_offsets = [](auto const& mapping) {
    using Layout = typename std::remove_cvref_t<decltype(mapping)>::layout_type;
    std::vector<double> elements(static_cast<std::size_t>(mapping.required_span_size()));
    md::mdspan<double, E, Layout, AccessDefault::accessor<double>> const span(
        elements.data(), mapping, AccessDefault::accessor<double>());
    EXPECT_EQ(span.extent(0), 13);
    each_index(mapping.extents(), [&](int i, int j, int k) {
#if defined(__cpp_multidimensional_subscript) || defined(__cpp_lib_mdspan)
      span[i, j, k] = i;
#else
      span(i, j, k) = i;
#endif
      EXPECT_EQ(elements[static_cast<std::size_t>(mapping(i, j, k))], i);
    });
  };
  E const extents(13);
  expect_offsets(LayoutRight::mapping<E>(extents));
  expect_offsets(LayoutLeft::mapping<E>(extents));
  expect_offsets(LayoutTiled<8>::mapping<E>(extents));
  expect_offsets(LayoutStride::mapping<E>(extents, {1, 16, 50}));
#else
  GTEST_SKIP() << "neither the compiler nor Kokkos brings an mdspan";
#endif
}

/// S2's spot check: ranks far beyond those in use.
template <class Layout>
void expect_ten_indices(index_t stride_of_first, index_t stride_of_last)
{
  using E = Extents<index_t, dyn, 2, dyn, 2, 1, 3, dyn, 2, 1, 2>;
  typename Layout::template mapping<E> const mapping(E(3, 1, 2));
  EXPECT_EQ(mapping.required_span_size(), 3 * 2 * 2 * 3 * 2 * 2 * 2);
  EXPECT_EQ(mapping(2, 1, 0, 1, 0, 2, 1, 1, 0, 1), 3 * 2 * 2 * 3 * 2 * 2 * 2 - 1);
  EXPECT_EQ(mapping.stride(0), stride_of_first);
  EXPECT_EQ(mapping.stride(9), stride_of_last);
}

TEST(Layouts, TakeTenIndices)
{
  expect_ten_indices<LayoutRight>(2 * 2 * 3 * 2 * 2 * 2, 1);
  expect_ten_indices<LayoutLeft>(1, 3 * 2 * 2 * 3 * 2 * 2);
}

TEST(LayoutStride, TakesStridesAsTheStandardDoes)
{
  LayoutStride::mapping<Dynamic<2>> const mapping(Dynamic<2>(3, 4), std::array<int, 2>{8, 1});
  EXPECT_EQ(mapping(2, 1), 17);
  EXPECT_EQ(mapping.required_span_size(), 20);
}

static_assert(LayoutRight::mapping<Dynamic<2>>::is_always_exhaustive());
static_assert(LayoutLeft::mapping<Dynamic<2>>::is_always_exhaustive());
static_assert(!LayoutTiled<8>::mapping<Dynamic<2>>::is_always_exhaustive());
static_assert(!LayoutStride::mapping<Dynamic<2>>::is_always_exhaustive());

} // namespace

} // namespace strata
