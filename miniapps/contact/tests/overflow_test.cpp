#include "contacts.hpp"

namespace strata::contact {

namespace {

/// A large sphere that a thousand small ones touch, each of which touches nothing else.
Shared giant(std::string const& overflow, std::string const& variant = "dyn_ragged",
             index_t capacity = 8)
{
  std::vector<Object> objects{sphere(0, {0, 0, 0}, 4000)};
  for (index_t x = -16; x < 16; ++x)
    for (index_t y = -16; y < 16; ++y)
      objects.push_back(sphere(static_cast<index_t>(objects.size()),
                               {static_cast<double>(60 * x), static_cast<double>(60 * y), 3500},
                               10));
  auto config = everything();
  config.kernel = {"build", "update"};
  config.steps = 1;
  config.overflow = overflow;
  config.variant = {variant};
  config.capacity = static_cast<int>(capacity);
  return std::make_shared<Problem>(
      config, setting_of_world(),
      std::make_unique<Given>(Shape::sphere, 3, 0, std::move(objects)));
}

} // namespace

TEST(Overflow, GrowsAndSpills)
{
  for (auto const* overflow : {"grow", "spill"}) {
    auto const problem = giant(overflow);
    auto facts = found_by(problem);
    EXPECT_EQ(facts["build contacts"], "2048") << overflow;
    EXPECT_EQ(facts["build longest_row"], "1024") << overflow;
  }
}

TEST(Overflow, IsTold)
{
  auto spilled = outcome_of(giant("spill"));
  EXPECT_EQ(spilled["row_lengths"], "1: 1024, 1024+: 1");
  EXPECT_EQ(spilled["capacity"], "8");
  EXPECT_EQ(spilled["spilled"], "1016");
  auto grown = outcome_of(giant("grow"));
  EXPECT_EQ(grown["capacity"], "1280");
  EXPECT_EQ(grown["spilled"], "0");
  for (auto const* variant : {"ragged", "paged", "list_pool"}) {
    auto facts = outcome_of(giant("grow", variant));
    EXPECT_EQ(facts["row_lengths"], "1: 1024, 1024+: 1") << variant;
    EXPECT_EQ(facts.count("capacity"), 0U) << variant;
  }
}

/// What making the problem's first case ends with.
std::string refusal(Shared const& problem)
{
  try {
    problem->setting().world.together([&] {
      driver::Workspace workspace;
      cases_of(problem).at(0).make(workspace);
    });
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::memory);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Overflow, FailsNamingElementDemandCapacityAndKey)
{
  for (auto const* variant : {"dyn_ragged", "dense_right", "dense_left"})
    EXPECT_EQ(refusal(giant("fail", variant)),
              "element 0 has 1024 contacts and its row room for 8; raise problem.capacity to "
              "1024 or set problem.overflow to grow")
        << variant;
  for (auto const* variant : {"ragged_slack", "paged", "list_pool"})
    EXPECT_NE(refusal(giant("fail", variant, 1)), "nothing was refused") << variant;
}

// Whatever is full, a row or the pool that all of a rank share.
TEST(Overflow, NamesACapacityThatIsEnough)
{
  for (auto const* variant :
       {"dyn_ragged", "dense_right", "dense_left", "ragged_slack", "paged", "list_pool"}) {
    std::string const key = "raise problem.capacity to ";
    auto const why = refusal(giant("fail", variant, 1));
    auto const at = why.find(key);
    ASSERT_NE(at, std::string::npos) << variant << ": " << why;
    index_t const enough = std::stoi(why.substr(at + key.size()));
    EXPECT_EQ(refusal(giant("fail", variant, enough)), "nothing was refused")
        << variant << ": " << why;
  }
}

TEST(Overflow, DoesNotFailWhereEveryRowHasRoom)
{
  for (auto const* variant :
       {"dyn_ragged", "dense_right", "dense_left", "ragged_slack", "paged", "list_pool"}) {
    auto facts = found_by(giant("fail", variant, 1024));
    EXPECT_EQ(facts["build contacts"], "2048") << variant;
  }
}

TEST(Overflow, AsksForNoMoreMemoryThanThereIs)
{
  std::vector<Object> points;
  for (index_t gid = 0; gid < 500; ++gid)
    points.push_back(sphere(gid, {7, 7, 7}, 0));
  std::vector<std::string> variants{"ragged", "dyn_ragged", "ragged_slack", "paged",
                                    "list_pool"};
  if (device_is_host)
    variants.insert(variants.end(), {"list", "vecvec"});
  for (auto const& variant : variants) {
    bool const allocates =
        variant == "list" || variant == "vecvec"; // 32 bytes an entry, not 16
    Config config;
    config.kernel = {"build"};
    config.variant = {variant};
    auto setting = setting_of_world();
    setting.device_bytes = index_t{1} << 20;
    auto const problem = std::make_shared<Problem>(
        config, setting, std::make_unique<Given>(Shape::sphere, 3, 0, points));
    try {
      setting.world.together([&] {
        driver::Workspace workspace;
        cases_of(problem).at(0).make(workspace);
      });
      ADD_FAILURE() << variant << " took more than it may";
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::memory) << variant;
      EXPECT_TRUE(std::string(error.what())
                      .ends_with(allocates ? " and may have 32768 entries (1 MiB)"
                                           : " and may have 65536 entries (1 MiB)"))
          << variant << ": " << error.what();
    }
  }
}

} // namespace strata::contact
