#include "tests/contacts.hpp"

namespace strata::contact {

TEST(RowFacts, TellRowsByLength)
{
  Config config;
  config.deck = "lattice";
  config.elements = 1000;
  config.kernel = {"build"};
  std::vector<std::string> variants = {"ragged", "dyn_ragged", "dense_right"};
  if (device_is_host) // where lists and vectors live
    variants.insert(variants.end(), {"list", "vecvec"});
  for (auto const& variant : variants) {
    config.variant = {variant};
    auto facts = outcome_of(std::make_shared<Problem>(config, setting_of_world()));
    EXPECT_EQ(facts["row_lengths"], "2-3: 8, 4-7: 992") << variant;
  }
}

TEST(RowFacts, TellBytesOfAnElement)
{
  Config config;
  config.deck = "lattice";
  config.elements = 1000;
  config.kernel = {"build"};
  auto const bytes_of = [&](char const* variant) {
    config.variant = {variant};
    return outcome_of(
        std::make_shared<Problem>(config, setting_of_world()))["bytes_per_element"];
  };
  EXPECT_EQ(bytes_of("dense_right"), "132"); // 8 x 16 + 4
  if (setting_of_world().share.ranks == 1) {
    EXPECT_EQ(bytes_of("dyn_ragged"), "136"); // and what was refused, 4
    EXPECT_EQ(bytes_of("ragged"), "98.41");   // 5400 x 16 + 1001 x 8 + 4
  }
  if (device_is_host) {
    EXPECT_EQ(bytes_of("list"), "137.6"); // 5400 x 24 + 8
  }
}

} // namespace strata::contact
