#include "domain/load.hpp"
#include "tests/contacts.hpp"

namespace strata::contact {

namespace {

/// A sphere among `small` ones of radius 1 in a row, 8 apart.
Shared spheres(double radius, index_t small)
{
  std::vector<Object> objects{sphere(0, {-2 * radius - 8, 0, 0}, radius)};
  for (index_t gid = 1; gid <= small; ++gid)
    objects.push_back(sphere(gid, {static_cast<double>(8 * gid), 0, 0}, 1));
  Config config;
  config.kernel = {"build"};
  config.variant = {"ragged"};
  config.broad = {"grid", "brute"};
  return std::make_shared<Problem>(
      config, setting_of_world(),
      std::make_unique<Given>(Shape::sphere, 3, 0, std::move(objects)));
}

/// What became of the cases, by broad phase and name.
std::map<std::string, std::string> outcomes(Shared const& problem)
{
  std::map<std::string, std::string> found;
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    testing::take_steps(trial, 1);
    EXPECT_TRUE(testing::passes(trial));
    for (auto const& [name, value] : trial.outcome())
      found[(one.label.ends_with("brute") ? "brute " : "grid ") + name] = value;
  });
  return found;
}

} // namespace

TEST(Load, SaysHowEvenlyTestsAreSpread)
{
  auto const world = runtime::Communicator::world();
  EXPECT_EQ(imbalance_of(0, world), 1);
  EXPECT_EQ(imbalance_of(17, world), 1);
  EXPECT_EQ(imbalance_of(world.rank() == 0 ? 17 : 0, world), world.ranks());
}

TEST(Load, CountsTestsAndGhosts)
{
  auto found = outcomes(spheres(1, 40));
  // Own and neighbouring cells of edge 2 hold an object each at most, every other one none.
  EXPECT_EQ(found.at("grid tests_per_element"), "0");
  if (runtime::Communicator::world().ranks() == 1) {
    EXPECT_EQ(found.at("brute tests_per_element"), "40");
    EXPECT_EQ(found.at("brute ghosts_per_owned"), "0");
    EXPECT_EQ(found.at("brute lambda_work"), "1");
  }
  EXPECT_FALSE(found.contains("grid warning"));
}

TEST(Load, WarnsOfAGiantAmongTinyElements)
{
  auto found = outcomes(spheres(100'000, 1100));
  EXPECT_FALSE(found.contains("brute warning"));
  if (runtime::Communicator::world().ranks() > 1)
    return; // the giant alone on its rank
  EXPECT_EQ(found.at("grid warning"), found.at("grid tests_per_element") + " tests an element");
}

} // namespace strata::contact
