#include "array/layout/layout.hpp"
#include "verify/elements.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace strata::verify {

namespace {

using Runs = std::vector<std::pair<index_t, index_t>>; ///< offset and count

template <class Mapping, class E>
Runs runs_of(Mapping const& mapping, E const& extents)
{
  std::vector<double> memory(static_cast<std::size_t>(mapping.required_span_size()));
  auto const output = elements_of(memory.data(), mapping, extents, false);
  EXPECT_FALSE(output.on_device);
  Runs runs;
  for (auto const& run : output.runs) {
    EXPECT_EQ(run.element, Element::real64);
    runs.emplace_back(static_cast<double*>(run.data) - memory.data(), run.count);
  }
  return runs;
}

template <class Layout>
auto mapping_of(Dynamic<2> const& extents)
{
  return typename Layout::template mapping<Dynamic<2>>(extents);
}

TEST(Elements, OfAWholeArrayAreOneRun)
{
  Dynamic<2> const extents(7, 5);
  EXPECT_EQ(runs_of(mapping_of<LayoutLeft>(extents), extents), (Runs{{0, 35}}));
  EXPECT_EQ(runs_of(mapping_of<LayoutRight>(extents), extents), (Runs{{0, 35}}));
}

TEST(Elements, AreWithoutPadding)
{
  Dynamic<2> const extents(7, 2);
  EXPECT_EQ(runs_of(mapping_of<LayoutTiled<4>>(extents), extents),
            (Runs{{0, 8 + 3}, {12, 3}})); // of the last tile's four rows three are elements
  EXPECT_EQ(runs_of(mapping_of<LayoutLeft>(Dynamic<2>(10, 2)), extents),
            (Runs{{0, 7}, {10, 7}}));
  LayoutStride::mapping<Dynamic<2>> const strided(extents, Kokkos::Array<index_t, 2>{1, 9});
  EXPECT_EQ(runs_of(strided, extents), (Runs{{0, 7}, {9, 7}}));
}

TEST(Elements, OfNothingAreNone)
{
  Dynamic<2> const none(0, 5);
  EXPECT_EQ(runs_of(mapping_of<LayoutLeft>(none), none), Runs{});
}

} // namespace

} // namespace strata::verify
