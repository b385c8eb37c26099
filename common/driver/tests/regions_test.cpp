#include "counting_trial.hpp"

#include "base/kokkos.hpp"

#include <gtest/gtest.h>

namespace strata::driver {

namespace {

std::vector<std::string> regions;
int open_regions = 0;

TEST(Sweep, NamesSamplesForProfilingTools)
{
  namespace tools = Kokkos::Tools::Experimental;
  tools::set_push_region_callback([](char const* name) {
    regions.emplace_back(name);
    ++open_regions;
  });
  tools::set_pop_region_callback([] { --open_regions; });
  run({case_of("one")});
  tools::set_push_region_callback(nullptr);
  tools::set_pop_region_callback(nullptr);
  EXPECT_EQ(regions, std::vector<std::string>(4, "one")); // and the one that is checked
  EXPECT_EQ(open_regions, 0);
}

} // namespace

} // namespace strata::driver
