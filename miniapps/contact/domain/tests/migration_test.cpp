#include "domain/load.hpp"
#include "domain/migration.hpp"
#include "tests/contacts.hpp"

namespace strata::contact {

namespace {

constexpr index_t elements = 900;

Config clump()
{
  auto config = everything();
  config.deck = "clump";
  config.elements = elements;
  config.kernel = {"update"};
  config.list = {"full"};
  config.skin = 256;
  config.speed = 64;
  config.steps = 6;
  return config;
}

/// The entry that the row of an element gets here.
CarriedRows::Entry mark_of(index_t gid)
{
  return {gid + 1, static_cast<double>(gid) / 4, gid % 7};
}

/// Rows on the host.
struct HostRows
{
  std::vector<index_t> start;
  std::vector<CarriedRows::Entry> entries;

  [[nodiscard]] CarriedRows on_device() const
  {
    CarriedRows rows(static_cast<index_t>(start.size()) - 1,
                     static_cast<index_t>(entries.size()));
    rows.start.upload(start);
    rows.entries.upload(entries);
    return rows;
  }
};

/// One entry in every row but each third gid's.
HostRows marked(Population const& population)
{
  HostRows rows;
  rows.start.push_back(0);
  for (index_t row = 0; row < population.rows(); ++row) {
    auto const gid = population.objects().all[static_cast<std::size_t>(row)].gid;
    if (gid % 3 != 0)
      rows.entries.push_back(mark_of(gid));
    rows.start.push_back(static_cast<index_t>(rows.entries.size()));
  }
  return rows;
}

HostRows on_host(CarriedRows const& rows)
{
  return {rows.start.download(rows.rows + 1), rows.entries.download(rows.count)};
}

bool same(HostRows const& a, HostRows const& b)
{
  return a.start == b.start &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](CarriedRows::Entry const& x, CarriedRows::Entry const& y) {
                      return x.neighbour == y.neighbour && x.gap == y.gap && x.born == y.born;
                    });
}

} // namespace

TEST(Migration, EvensTestsOutAndTakesRowsAlong)
{
  auto const problem = std::make_shared<Problem>(clump(), setting_of_world());
  auto const world = problem->setting().world;
  problem->prepare();
  auto& scenery = problem->scenery();
  auto const at_home = marked(scenery.population);
  scenery.population.move_to(3);
  scenery.look_around(0);
  double const before = imbalance_of(tests_of(scenery), world);
  auto rows = marked(scenery.population).on_device();
  EXPECT_TRUE(migrate(scenery, even_ranks(scenery, world), rows, world));
  EXPECT_TRUE(same(on_host(rows), marked(scenery.population)));
  EXPECT_EQ(world.sum(scenery.population.rows()), elements);
  EXPECT_EQ(scenery.population.step(), 3);
  scenery.look_around(0);
  double const after = imbalance_of(tests_of(scenery), world);
  EXPECT_LE(after, 1 + (before - 1) / 2) << "from " << before;
  scenery.population.start_over();
  EXPECT_TRUE(same(at_home, marked(scenery.population)));
}

TEST(Migration, CountsWhatIsLostDoubledOrExchanged)
{
  auto const world = runtime::Communicator::world();
  std::vector<Object> mine;
  for (index_t i = 0; i < 5; ++i)
    mine.push_back(sphere(5 * world.rank() + i, {}, 1));
  auto const whole = census_of(mine, world);
  EXPECT_EQ(whole.objects, 5 * world.ranks());
  auto changed = mine;
  std::swap(changed[0], changed[4]);
  EXPECT_EQ(census_of(changed, world), whole);
  changed[1].gid = changed[2].gid;
  EXPECT_NE(census_of(changed, world), whole);
  changed = mine;
  changed.pop_back();
  EXPECT_NE(census_of(changed, world), whole);
  changed = mine;
  changed.push_back(mine[0]);
  EXPECT_NE(census_of(changed, world), whole);
}

// One place has all objects, and no plane goes through it.
TEST(Migration, IsNotTriedAgainWhereItCannotHelp)
{
  std::vector<Object> spheres;
  for (index_t gid = 0; gid < 20; ++gid) {
    spheres.push_back(sphere(gid, {7, 7, 7}, 2));
    spheres.back().velocity = {1, 2, 3};
  }
  auto config = everything();
  config.kernel = {"update"};
  config.variant = {"dyn_ragged"};
  config.rebuild = "every";
  config.steps = 6;
  auto source = std::make_unique<Given>(Shape::sphere, 3, 0, std::move(spheres));
  source->set_moving();
  auto const outcome =
      outcome_of(std::make_shared<Problem>(config, setting_of_world(), std::move(source)));
  EXPECT_EQ(outcome.at("bisections"), runtime::Communicator::world().ranks() == 1 ? "0" : "1");
  EXPECT_EQ(outcome.at("migrations"), "0");
}

TEST(Migration, ChangesNoContactInAnyStructure)
{
  auto config = clump();
  config.variant = {"ragged"};
  config.rebalance = {};
  auto const staying = found_in(config);
  config.variant = everything().variant;
  config.rebalance = 1;
  EXPECT_EQ(found_in(config), staying);
  config.variant = {"dyn_ragged"};
  config.list = {"half"};
  bool const alone = runtime::Communicator::world().ranks() == 1;
  testing::each_trial(cases_of(std::make_shared<Problem>(config, setting_of_world())),
                      [&](driver::Case const&, driver::Trial& trial) {
                        testing::take_steps(trial, 1);
                        EXPECT_TRUE(testing::passes(trial));
                        auto const outcome = trial.outcome();
                        EXPECT_EQ(outcome.back().first, "migrations");
                        EXPECT_EQ(outcome.back().second == "0", alone);
                      });
}

} // namespace strata::contact
