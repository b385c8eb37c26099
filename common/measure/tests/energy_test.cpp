#include "measure/energy.hpp"
#include "testing/temporary_root.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace strata::measure {

namespace {

void write_zone(testing::TemporaryRoot const& root, std::string const& zone,
                std::string const& name, int microjoules)
{
  auto const folder = "sys/class/powercap/" + zone;
  root.write(folder + "/name", name + "\n");
  root.write(folder + "/max_energy_range_uj", "1000000\n");
  root.write(folder + "/energy_uj", std::to_string(microjoules) + "\n");
}

/// Two packages and a zone that is none.
void write_packages(testing::TemporaryRoot const& root, int first, int second)
{
  write_zone(root, "intel-rapl:0", "package-0", first);
  write_zone(root, "intel-rapl:1", "package-1", second);
  write_zone(root, "intel-rapl:0:0", "dram", 777);
}

/// Joules between the first reading and one after `change`.
template <class Change>
double joules_over(testing::TemporaryRoot const& root, Change const& change)
{
  std::string why;
  auto const counter = rapl_counter(why, root.path());
  EXPECT_EQ(why, "");
  if (!counter)
    return -1;
  double const before = counter->joules().value_or(-1);
  change();
  return counter->joules().value_or(-1) - before;
}

/// Three joules at each reading.
class Steady : public EnergyCounter
{
public:
  std::optional<double> joules() override { return readings_ += 3; }

private:
  double readings_ = 0;
};

class Broken : public EnergyCounter
{
public:
  std::optional<double> joules() override { return {}; }
};

} // namespace

TEST(Rapl, AddsPackagesAndFollowsThemAcrossTheirRange)
{
  testing::TemporaryRoot const root;
  write_packages(root, 900'000, 100'000);
  EXPECT_NEAR(joules_over(root, [&] { write_packages(root, 200'000, 150'000); }), 0.3 + 0.05,
              1e-12);
}

TEST(Rapl, CountsAPackageOnceThatHasTwoZones)
{
  testing::TemporaryRoot const root;
  write_packages(root, 100'000, 100'000);
  write_zone(root, "intel-rapl-mmio:0", "package-0", 500'000);
  EXPECT_NEAR(joules_over(root,
                          [&] {
                            write_packages(root, 300'000, 150'000);
                            write_zone(root, "intel-rapl-mmio:0", "package-0", 700'001);
                          }),
              0.2 + 0.05, 1e-12); // of intel-rapl:0
}

TEST(Rapl, TakesMappedMemoryWhereItIsTheOnlyWay)
{
  testing::TemporaryRoot const root;
  write_zone(root, "intel-rapl-mmio:0", "package-0", 100'000);
  EXPECT_NEAR(
      joules_over(root, [&] { write_zone(root, "intel-rapl-mmio:0", "package-0", 400'000); }),
      0.3, 1e-12);
}

TEST(Rapl, WantsToKnowWhereACounterWraps)
{
  std::string const expected =
      "the RAPL counter intel-rapl:1 does not tell where it wraps (max_energy_range_uj)";
  for (auto const* const range : {"", "0\n", "unknown\n"}) {
    testing::TemporaryRoot const root;
    write_packages(root, 1, 2);
    root.write("sys/class/powercap/intel-rapl:1/max_energy_range_uj", range);
    std::string why;
    EXPECT_EQ(rapl_counter(why, root.path()), nullptr) << range;
    EXPECT_EQ(why, expected) << range;
  }
}

TEST(Rapl, SaysWhyThereIsNone)
{
  testing::TemporaryRoot const root;
  std::string why;
  EXPECT_EQ(rapl_counter(why, root.path()), nullptr);
  EXPECT_EQ(why, "the system has no RAPL counters");
  root.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
  EXPECT_EQ(rapl_counter(why, root.path()), nullptr);
  EXPECT_EQ(why, "the RAPL counters may not be read; most systems let only root do so");
}

TEST(EnergyMeter, AddsBoardsAndWantsTwoSeconds)
{
  auto const world = runtime::Communicator::world();
  EnergyMeter meter(world, std::make_unique<Steady>(), "test", "device", "");
  meter.start();
  EXPECT_FALSE(meter.stop());
  EXPECT_EQ(meter.reason(), "measured for less than 2 seconds, too short for energy counters");

  EnergyMeter longer(world, std::make_unique<Steady>(), "test", "device", "");
  auto const node = runtime::Communicator::node();
  bool const reads = reads_counter(node.all_gather("0000:18:00.0"), node.rank());
  EnergyMeter shared(world, reads ? std::make_unique<Steady>() : nullptr, "test", "device", "");
  longer.start();
  shared.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(2010));
  auto const of_shared = shared.stop();
  ASSERT_TRUE(of_shared);
  EXPECT_EQ(of_shared->joules, 3 * world.sum(node.rank() == 0 ? 1.0 : 0.0)); // one per node
  auto const energy = longer.stop();
  ASSERT_TRUE(energy);
  EXPECT_EQ(energy->joules, 3 * world.ranks());
  EXPECT_GE(energy->seconds, 2);
  EXPECT_EQ(energy->scope, "device");
}

TEST(EnergyMeter, HasTheFirstRankOnEachBoardReadIt)
{
  auto const readers = [](std::vector<std::string> const& boards) {
    std::vector<int> found;
    for (int rank = 0; rank < static_cast<int>(boards.size()); ++rank)
      if (reads_counter(boards, rank))
        found.push_back(rank);
    return found;
  };
  using Ranks = std::vector<int>;
  EXPECT_EQ(readers({"0000:18:00.0"}), Ranks{0});
  EXPECT_EQ(readers({"0000:18:00.0", "0000:2a:00.0"}), (Ranks{0, 1}));
  EXPECT_EQ(readers({"0000:2a:00.0", "0000:18:00.0", "0000:2a:00.0", "0000:18:00.0"}),
            (Ranks{0, 1}));
  EXPECT_EQ(readers({"0000:18:00.0", "0000:18:00.0", "0000:2a:00.0"}), (Ranks{0, 2}));
  EXPECT_EQ(readers({"", "", ""}), Ranks{0}); // CPUs
}

TEST(EnergyMeter, HasNoneWhereACounterFails)
{
  auto const world = runtime::Communicator::world();
  EnergyMeter broken(world, std::make_unique<Broken>(), "test", "device", "");
  broken.start();
  EXPECT_FALSE(broken.stop());
  EXPECT_EQ(broken.reason(), "an energy counter could not be read");
  EnergyMeter none(world, nullptr, "test", "device", "there is none");
  none.start();
  EXPECT_FALSE(none.stop());
  EXPECT_EQ(none.reason(), "there is none");
}

} // namespace strata::measure
