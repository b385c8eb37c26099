#include "contacts.hpp"

#include "check/checks.hpp"
#include "check/host_positions.hpp"
#include "io/file_contents.hpp"
#include "scene/generators.hpp"

#include <array>

namespace strata::contact {

namespace {

// Checksums after each step, at all ranks and on all devices; brute force below made them.
using Golden = std::array<std::uint64_t, 20>;
constexpr Golden of_spheres = {
    0x0000000000000000, 0x822d922f323d5d01, 0xd22c72451ac58540, 0x42795352d6542f9e,
    0x02893f65edf8fcc9, 0x3e196b474b64ccc1, 0xa3e684f3dec77296, 0x9e4d07e98c295b61,
    0x92ee324308fbd00d, 0xcae46977ebb69d20, 0x20f2b14a5d346601, 0xa6495ed24a41c798,
    0xc5a1f44589d4e67d, 0x3ba71872d54f1c6b, 0x3d93c6e88db2018c, 0xd7a6833beb3fc5cf,
    0x031f2159dfce13ce, 0x890ace053939e9c5, 0x743a9d1527813a95, 0x83c7a1c0b7853e77};

constexpr Golden of_boxes = {
    0x0000000000000000, 0x10bec2db55fc11dd, 0x0f06134052ab7012, 0xd7431b06f29a5127,
    0x41641f338348e07e, 0xb34bb71b987ec09c, 0x2f84836cc092eafb, 0x327c5e623810dc4d,
    0x2d12fe0672a13ce0, 0x7f64610dabc13f7a, 0xadc3a137f1b6c282, 0xe6e30fb19d8baa5d,
    0xcd7c31aa3d0634f8, 0x481a7e3919243af3, 0x4c0200288c3fe36e, 0x699ace2ba83e9de1,
    0x89b419ec4bef82f0, 0xadb35f402782a39a, 0x363cc87035786abb, 0x95487f88613b3401};

/// Blocks of 1,728 and 216 spheres; the front has broken all bonds by step 17. Candidates are
/// found anew at some of the steps.
Config impact()
{
  auto config = everything();
  config.kernel = {"update"};
  config.list = {"full"};
  config.deck = "impact";
  config.elements = 2000;
  config.steps = 1;
  config.skin = 16;
  return config;
}

/// The same of boxes, whose nodes the front sets free.
Config impact_with_nodes()
{
  auto config = impact();
  config.shape = "box";
  config.points = "nodes";
  return config;
}

/// By the Judge alone; each rank looks at its share of the rows.
std::uint64_t checksum_by_brute_force(SceneSource const& source, std::int64_t step)
{
  auto const setting = setting_of_world();
  auto const objects = source.objects({0, 1}).all;
  auto const& scene = source.scene();
  Judge const judge(scene, {});
  HostPositions positions(objects, scene);
  positions.move_to(step);
  auto const placed = [&](std::size_t i) {
    bool const point = objects[i].gid >= scene.elements;
    return Placed{&objects[i], nullptr, positions.at(i), body_at(objects[i], point, step),
                  point};
  };
  std::uint64_t sum = 0;
  for (auto row = setting.share.begin(scene.elements); row < setting.share.end(scene.elements);
       ++row) {
    auto const a = placed(static_cast<std::size_t>(row));
    for (std::size_t i = 0; i < objects.size(); ++i) {
      double gap = 0;
      if (objects[i].gid != row && judge.touch(a, placed(i), gap))
        sum += pair_hash(row, objects[i].gid);
    }
  }
  return setting.world.sum(sum);
}

std::string hex(std::uint64_t word)
{
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(word));
  return digits;
}

std::string checksum_of(driver::Trial const& trial)
{
  for (auto const& [name, value] : trial.findings())
    if (name == "checksum")
      return value;
  return "";
}

void are_by_brute_force(Config const& config, Golden const& golden)
{
  auto const source = make_scene_source(config, setting_of_world(), 0, contents_of);
  std::int64_t step = 0;
  for (auto const expected : golden)
    EXPECT_EQ(hex(checksum_by_brute_force(*source, ++step)), hex(expected)) << step;
}

void are_so_in_every_structure(Config const& config, Golden const& golden)
{
  auto const problem = std::make_shared<Problem>(config, setting_of_world());
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    trial.reset();
    int step = 0;
    for (auto const expected : golden) {
      trial.step();
      for (auto const& verdict : trial.verify(++step))
        EXPECT_TRUE(verdict.passed) << one.label << " at step " << step << ": "
                                    << verdict.metric << " " << verdict.error;
      EXPECT_EQ(checksum_of(trial), hex(expected)) << one.label << " at step " << step;
    }
  });
}

} // namespace

TEST(Steps, AreByBruteForceWhatTheyWere)
{
  auto const source = make_scene_source(impact(), setting_of_world(), 0, contents_of);
  EXPECT_EQ(source->scene().elements, 1944);
  are_by_brute_force(impact(), of_spheres);
}

TEST(Steps, HaveTheSameContactsInEveryStructure)
{
  are_so_in_every_structure(impact(), of_spheres);
}

// contact.md section 5: one leaves all others 2^30 units behind, another comes from afar. Then
// 1 touches 0, as before, and 2.
TEST(Steps, BeyondTheSkinMissNoContact)
{
  std::vector<Object> spheres{sphere(0, {0, 0, 0}, 2), sphere(1, {3, 0, 0}, 2),
                              sphere(2, {1000, 0, 0}, 2), sphere(3, {5, 0, 0}, 2)};
  spheres[2].velocity = {-997, 3, 0};
  spheres[3].velocity = {0x1p30, 0, 0};
  auto config = everything();
  config.kernel = {"update"};
  config.steps = 1;
  auto source = std::make_unique<Given>(Shape::sphere, 3, 0, std::move(spheres));
  source->set_moving();
  auto facts =
      found_by(std::make_shared<Problem>(config, setting_of_world(), std::move(source)));
  EXPECT_EQ(facts["update contacts"], "4");
  EXPECT_EQ(facts["update age"], "2");
  EXPECT_EQ(facts["update steps_beyond_skin"], "1");
}

// contact.md section 5: the first that is outside is named, by all ranks.
TEST(Steps, OutOfFixedBoundsEndTheRun)
{
  std::vector<Object> spheres{sphere(0, {0, 0, 0}, 2), sphere(1, {3, 7, 0}, 2),
                              sphere(2, {50, 0, 9}, 2), sphere(3, {20, 0, 0}, 2)};
  spheres[2].velocity = {10, 0, 0};
  spheres[3].velocity = {0, 4, 0};
  auto config = everything();
  config.kernel = {"update"};
  config.variant = {"ragged"};
  config.list = {"full"};
  config.steps = 1;
  config.bounds = "fixed";
  auto source = std::make_unique<Given>(Shape::sphere, 3, 0, std::move(spheres));
  source->set_moving();
  auto const problem = std::make_shared<Problem>(config, setting_of_world(), std::move(source));
  testing::each_trial(cases_of(problem), [](driver::Case const&, driver::Trial& trial) {
    trial.reset();
    try {
      trial.step();
      ADD_FAILURE() << "nothing is outside";
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::deck);
      EXPECT_STREQ(error.what(),
                   "object 2 is at (60, 0, 9) in step 1 and has left the box from (0, 0, 0) to "
                   "(50, 7, 9); problem.bounds is fixed: set it to follow, or problem.steps to "
                   "fewer");
    }
  });
}

// Walls belong to the box, whether or not an object is near them at first.
TEST(Steps, StayInFixedBoundsBetweenWalls)
{
  auto config = everything();
  config.kernel = {"update"};
  config.variant = {"ragged"};
  config.deck = "random";
  config.elements = 500;
  config.speed = 200;
  config.steps = 20;
  auto const follows = found_by(std::make_shared<Problem>(config, setting_of_world()));
  EXPECT_NE(follows.at("update rebuilds"), "0");
  config.bounds = "fixed";
  EXPECT_EQ(found_by(std::make_shared<Problem>(config, setting_of_world())), follows);
}

// Rows and candidates are looked at in words of 64.
TEST(Steps, OfRowsLongerThanAWord)
{
  auto config = everything();
  config.kernel = {"update"};
  config.deck = "random";
  config.elements = 1500;
  config.neighbours = 100;
  config.speed = 200;
  config.steps = 5;
  auto const problem = std::make_shared<Problem>(config, setting_of_world());
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    trial.reset();
    trial.step();
    for (auto const& verdict : trial.verify(1))
      EXPECT_TRUE(verdict.passed)
          << one.label << ": " << verdict.metric << " " << verdict.error;
    for (auto const& [name, value] : trial.findings())
      if (name == "longest_row") {
        EXPECT_GT(std::stoi(value), 64) << one.label;
      }
  });
}

TEST(Steps, SetNodesFreeByBruteForce)
{
  auto const source =
      make_scene_source(impact_with_nodes(), setting_of_world(), 0, contents_of);
  EXPECT_EQ(source->scene().elements, 1944);
  EXPECT_EQ(source->scene().points, 2197 + 343);
  are_by_brute_force(impact_with_nodes(), of_boxes);
}

TEST(Steps, SetNodesFreeInEveryStructure)
{
  are_so_in_every_structure(impact_with_nodes(), of_boxes);
}

} // namespace strata::contact
