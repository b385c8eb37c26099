#include "rows/stored_statistics.hpp"
#include "tests/contacts.hpp"

namespace strata::contact {

namespace {

Shared three_spheres()
{
  auto config = everything();
  config.kernel = {"statistics"};
  config.store = {"none", "rows"};
  std::vector<Object> objects{sphere(0, {0, 0, 0}, 4), sphere(1, {8, 0, 0}, 4),
                              sphere(2, {0, 7, 0}, 4), sphere(3, {99, 0, 0}, 4)};
  return std::make_shared<Problem>(
      config, setting_of_world(),
      std::make_unique<Given>(Shape::sphere, 3, 0, std::move(objects)));
}

} // namespace

TEST(StoredStatistics, OfRowsAreTheirLeastGreatestSumAndMean)
{
  auto const found = statistics_of({{2, -1, 5}, {}, {0.5}});
  EXPECT_EQ(found, (std::vector<GapStatistics>{{-1, 5, 6, 2}, {}, {0.5, 0.5, 0.5, 0.5}}));
}

TEST(StoredStatistics, CostThirtyTwoBytesARow)
{
  auto const problem = three_spheres();
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    auto const stored = one.label.ends_with("/rows");
    auto const rows = problem->scenery().population.rows();
    EXPECT_EQ(trial.work().bytes_written, stored ? 32 * rows : 0) << one.label;
    EXPECT_EQ(one.control.ends_with("/rows"), false) << one.label;
  });
}

TEST(RowStatistics, ComputeInRowsThatHaveEntries)
{
  auto const problem = three_spheres();
  auto const& world = problem->setting().world;
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    bool const half = one.label.find("half") != std::string::npos;
    EXPECT_EQ(world.sum(trial.work().flops), half ? 3 * 2 + 5 * 1 : 3 * 4 + 5 * 3) << one.label;
  });
}

TEST(StoredStatistics, AreHeldAgainstASerialLoop)
{
  testing::each_trial(
      cases_of(three_spheres()), [&](driver::Case const& one, driver::Trial& trial) {
        testing::take_steps(trial, 1);
        EXPECT_TRUE(testing::passes(trial)) << one.label;
        auto const output = trial.output();
        if (!one.label.ends_with("/rows") || output.count() == 0)
          return;
        verify::Fault::parse("value:.").corrupt(output);
        EXPECT_EQ(trial.verify(1).back().error, 1) << one.label;
        trial.reset();
        EXPECT_EQ(trial.verify(1).back().error, static_cast<double>(output.count()) / 4)
            << one.label;
      });
}

} // namespace strata::contact
