#include "contacts.hpp"

#include "testing/listener.hpp"

namespace strata::contact {

TEST(Launches, AndAllocationsHaveLabels)
{
  testing::Listener const listener;
  auto config = everything();
  config.elements = 101;
  config.steps = 2;
  found_in(config);
  EXPECT_EQ(listener.strangers(), std::vector<std::string>{});
}

TEST(Launches, AllocateNothingOnceEverythingHasItsSize)
{
  auto config = everything();
  config.deck = "impact";
  config.rebalance = {}; // rows are made anew where elements change owner
  config.elements = 243;
  config.steps = 12;
  auto const problem = std::make_shared<Problem>(config, setting_of_world());
  testing::each_trial(cases_of(problem), [](driver::Case const& one, driver::Trial& trial) {
    testing::take_steps(trial, 1);
    trial.reset();
    testing::Listener const listener;
    trial.step();
    EXPECT_EQ(listener.allocations(), std::vector<std::string>{}) << one.label;
  });
}

TEST(Memory, OfObjectsAndTheirCellsIsWhatIsSaidBeforehand)
{
  if (setting_of_world().share.ranks > 1)
    GTEST_SKIP() << "ghosts of a few objects are as many as these";
  for (auto const& [deck, shape] :
       {std::pair("random", "sphere"), {"hoss", "box"}, {"lattice", "simplex"}}) {
    Config config;
    config.deck = deck;
    config.shape = shape;
    config.elements = 20'000;
    config.kernel = {"build"};
    config.variant = {"ragged"};
    auto const problem = std::make_shared<Problem>(config, setting_of_world());
    testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
      testing::take_steps(trial, 1);
      auto const& objects = problem->scenery().population.objects();
      auto const taken = static_cast<double>(problem->scenery().bytes()) +
                         static_cast<double>(objects.all.size() * sizeof(Object)) +
                         static_cast<double>(objects.corners.size() * sizeof(Corners));
      EXPECT_NEAR(static_cast<double>(one.shared_bytes) / taken, 1, 0.2) << one.label << deck;
    });
  }
}

} // namespace strata::contact
