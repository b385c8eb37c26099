#include "checks.hpp"
#include "contacts.hpp"
#include "generators.hpp"
#include "host_positions.hpp"

namespace strata::contact {

namespace {

// Checksums of impact() after each of its steps, at all ranks and on all devices; brute force
// below made them.
constexpr std::uint64_t golden[] = {
    0x0000000000000000, 0x822d922f323d5d01, 0xd22c72451ac58540, 0x42795352d6542f9e,
    0x02893f65edf8fcc9, 0x3e196b474b64ccc1, 0xa3e684f3dec77296, 0x9e4d07e98c295b61,
    0x92ee324308fbd00d, 0xcae46977ebb69d20, 0x20f2b14a5d346601, 0xa6495ed24a41c798,
    0xc5a1f44589d4e67d, 0x3ba71872d54f1c6b, 0x3d93c6e88db2018c, 0xd7a6833beb3fc5cf,
    0x031f2159dfce13ce, 0x890ace053939e9c5, 0x743a9d1527813a95, 0x83c7a1c0b7853e77};

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

/// By the Judge alone; each rank looks at its share of the rows.
std::uint64_t checksum_by_brute_force(Deck const& deck, std::int64_t step)
{
  auto const setting = setting_of_world();
  auto const objects = deck.objects({0, 1}).all;
  auto const& scene = deck.scene();
  Judge const judge(scene, 1);
  HostPositions positions(objects, scene);
  positions.move_to(step);
  auto const placed = [&](std::size_t i) {
    return Placed{&objects[i], nullptr, positions.at(i), body_at(objects[i], false, step),
                  false};
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
  return sum_over(setting.world, sum);
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

} // namespace

TEST(Steps, AreByBruteForceWhatTheyWere)
{
  auto const config = impact();
  auto const deck = make_deck(config, setting_of_world(), 0);
  ASSERT_EQ(deck->scene().elements, 1944);
  std::int64_t step = 0;
  for (auto const expected : golden)
    EXPECT_EQ(hex(checksum_by_brute_force(*deck, ++step)), hex(expected)) << step;
}

TEST(Steps, HaveTheSameContactsInEveryStructure)
{
  auto const problem = std::make_shared<Problem>(impact(), setting_of_world());
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

} // namespace strata::contact
