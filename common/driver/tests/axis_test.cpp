#include "driver/axis.hpp"

#include <gtest/gtest.h>

namespace strata::driver {

namespace {

using Words = std::vector<std::string>;

TEST(Axis, HasTheWordsOfDecks)
{
  using Orders = Axis<LayoutLeft, LayoutRight, LayoutTiled<16>, LayoutStride>;
  EXPECT_EQ(Orders::words(), (Words{"left", "right", "tiled16", "stride"}));
  using Rules = Axis<AccessDefault, AccessRestrict, AccessAtomic, AccessStreaming, AccessBits>;
  EXPECT_EQ(Rules::words(), (Words{"default", "restrict", "atomic", "streaming", "bits"}));
}

TEST(Axis, CallsForEachTypeOrTheOneOfAWord)
{
  using Orders = Axis<LayoutLeft, LayoutTiled<8>, LayoutTiled<16>>;
  Words visited;
  auto const visit = [&]<class Layout>() { visited.push_back(word_of<Layout>()); };
  Orders::for_each(visit);
  EXPECT_EQ(visited, Orders::words());
  visited.clear();
  Orders::at("tiled16", visit);
  EXPECT_EQ(visited, Words{"tiled16"});
  Orders::at("tiled", visit);
  EXPECT_EQ(visited, Words{"tiled16"});
}

} // namespace

} // namespace strata::driver
