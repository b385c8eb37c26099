#include "variables.hpp"

#include "base/error.hpp"
#include "runtime/placement/device_map.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

Gpu gpu(int id, std::string const& bus, int numa = -1)
{
  return {id,           "NVIDIA H200",         "0000:" + bus + ":00.0",
          "GPU-" + bus, std::int64_t{1} << 37, numa};
}

Sight rank_with(int number, std::vector<Gpu> gpus)
{
  Sight sight;
  sight.host = "n1";
  sight.rank = number;
  sight.cpus = {number};
  sight.gpus = std::move(gpus);
  return sight;
}

/// Ranks 0 to count-1 of host n1; each sees both GPUs.
std::vector<Sight> ranks_with_two_gpus(int count)
{
  std::vector<Sight> node;
  for (int number = 0; number < count; ++number)
    node.push_back(rank_with(number, {gpu(0, "18"), gpu(1, "2a")}));
  return node;
}

NodeMap mapped(std::vector<Sight> const& node, Parallel const& parallel = {},
               std::optional<Wish> const& flag = std::nullopt,
               Environment const& environment = variables({}))
{
  return map_node(node, parallel, flag, Target::gpu, environment);
}

/// The message of the placement error that these arguments lead to.
template <class... Arguments>
std::string refused(Arguments const&... arguments)
{
  try {
    mapped(arguments...);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::placement);
    return error.what();
  }
  return "accepted";
}

using Ids = std::vector<int>;

TEST(DeviceMap, OneGpuPerRankInNodeLocalOrder)
{
  auto const result = mapped(ranks_with_two_gpus(2));
  EXPECT_EQ(result.devices, (Ids{0, 1}));
  EXPECT_TRUE(result.exclusive);
  EXPECT_TRUE(result.warnings.empty());
}

TEST(DeviceMap, SchedulerBoundRanksEachSeeTheirOwnAsNumberZero)
{
  auto const result = mapped({rank_with(0, {gpu(0, "18")}), rank_with(1, {gpu(0, "2a")})});
  EXPECT_EQ(result.devices, (Ids{0, 0}));
  EXPECT_TRUE(result.exclusive);
}

TEST(DeviceMap, AutoAvoidsWhatALowerRankHas)
{
  EXPECT_EQ(mapped({rank_with(0, {gpu(0, "18"), gpu(1, "2a")}),
                    rank_with(1, {gpu(0, "2a"), gpu(1, "18")})})
                .devices,
            (Ids{0, 0}));
  EXPECT_EQ(mapped({rank_with(0, {gpu(0, "18"), gpu(1, "2a")}),
                    rank_with(1, {gpu(0, "18"), gpu(1, "2a")}),
                    rank_with(2, {gpu(0, "3b"), gpu(1, "4c")}),
                    rank_with(3, {gpu(0, "3b"), gpu(1, "4c")})})
                .devices,
            (Ids{0, 1, 0, 1}));
}

TEST(DeviceMap, RefusesTwoRanksOnOneGpu)
{
  EXPECT_EQ(
      refused(std::vector{rank_with(0, {gpu(0, "18")}), rank_with(1, {gpu(0, "18")})}),
      "ranks 0 and 1 on host n1 both use NVIDIA H200 0000:18:00.0; start one rank per GPU "
      "or set parallel.share_devices: true");
}

TEST(DeviceMap, NamesEveryRankOfEveryOverfullGpu)
{
  EXPECT_EQ(
      refused(ranks_with_two_gpus(5)),
      "ranks 0, 2 and 4 on host n1 all use NVIDIA H200 0000:18:00.0; ranks 1 and 3 on host "
      "n1 both use NVIDIA H200 0000:2a:00.0; start one rank per GPU or set "
      "parallel.share_devices: true");
}

TEST(DeviceMap, TellsGpusApartByUuidWherePciIdsAreHidden)
{
  auto first = gpu(0, "18");
  auto second = gpu(0, "2a");
  first.pci_id.clear();
  second.pci_id.clear();
  EXPECT_TRUE(mapped({rank_with(0, {first}), rank_with(1, {second})}).exclusive);
  EXPECT_EQ(
      refused(std::vector{rank_with(0, {first}), rank_with(1, {first})}),
      "ranks 0 and 1 on host n1 both use NVIDIA H200 GPU-18; start one rank per GPU or set "
      "parallel.share_devices: true");
}

TEST(DeviceMap, UnidentifiedGpusAreNeverExclusiveAmongSeveralRanks)
{
  auto unknown = gpu(0, "18");
  unknown.pci_id.clear();
  unknown.uuid.clear();
  auto const result = mapped({rank_with(0, {unknown}), rank_with(1, {unknown})});
  EXPECT_FALSE(result.exclusive);
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_EQ(result.warnings[0],
            "rank 0 on host n1 uses NVIDIA H200 number 0, whose driver hides "
            "PCI id and UUID: another rank may have it too");
  EXPECT_TRUE(mapped({rank_with(0, {unknown})}).exclusive);
}

TEST(DeviceMap, SharesOnRequestAndSaysSo)
{
  auto const result = mapped(ranks_with_two_gpus(3), {.share_devices = true});
  EXPECT_EQ(result.devices, (Ids{0, 1, 0}));
  EXPECT_FALSE(result.exclusive);
  EXPECT_EQ(result.warnings, std::vector<std::string>{
                                 "ranks 0 and 2 on host n1 both use NVIDIA H200 0000:18:00.0"});
}

TEST(DeviceMap, DeckChoosesTheGpu)
{
  EXPECT_EQ(mapped(ranks_with_two_gpus(1), {.device = "1"}).devices, Ids{1});
  EXPECT_EQ(refused(ranks_with_two_gpus(1), Parallel{.device = "2"}),
            "rank 0 on host n1 has no GPU 2, which parallel.device asks for; it sees GPU 0 "
            "(NVIDIA H200 0000:18:00.0), GPU 1 (NVIDIA H200 0000:2a:00.0)");
  EXPECT_EQ(refused(ranks_with_two_gpus(1), Parallel{.device = "first"}),
            "parallel.device is 'first'; it must be auto or the number of a visible GPU");
}

TEST(DeviceMap, FlagWinsOverCTestOverVariableOverDeck)
{
  auto const node = ranks_with_two_gpus(1);
  Parallel const deck{.device = "0"};
  auto const variable = variables({{"KOKKOS_DEVICE_ID", "1"}});
  auto const both = variables({{"KOKKOS_DEVICE_ID", "1"},
                               {"CTEST_RESOURCE_GROUP_COUNT", "1"},
                               {"CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1"}});
  EXPECT_EQ(mapped(node, deck, std::nullopt, variable).devices, Ids{1});
  EXPECT_EQ(mapped(node, {.device = "1"}, std::nullopt, both).devices, Ids{0});
  EXPECT_EQ(mapped(node, deck, Wish{1, "--kokkos-device-id"}, both).devices, Ids{1});
  EXPECT_EQ(refused(node, deck, std::optional(Wish{7, "--kokkos-device-id"})),
            "rank 0 on host n1 has no GPU 7, which --kokkos-device-id asks for; it sees GPU 0 "
            "(NVIDIA H200 0000:18:00.0), GPU 1 (NVIDIA H200 0000:2a:00.0)");
}

TEST(DeviceMap, CTestGivesEachNodeLocalRankItsGroup)
{
  auto const environment = variables({{"CTEST_RESOURCE_GROUP_COUNT", "2"},
                                      {"CTEST_KOKKOS_DEVICE_TYPE", "h200"},
                                      {"CTEST_RESOURCE_GROUP_0_H200", "id:1,slots:1"},
                                      {"CTEST_RESOURCE_GROUP_1_H200", "id:0,slots:1"}});
  EXPECT_EQ(mapped(ranks_with_two_gpus(2), {}, std::nullopt, environment).devices, (Ids{1, 0}));
  EXPECT_EQ(refused(ranks_with_two_gpus(3), Parallel{}, std::optional<Wish>(), environment),
            "CTest allocated 2 resource groups but none with h200 for node-local rank 2 "
            "(CTEST_RESOURCE_GROUP_2_H200 is not set); give the test RESOURCE_GROUPS with one "
            "group per rank");
}

TEST(DeviceMap, RefusesAMalformedCTestAllocation)
{
  auto const environment = variables(
      {{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "slots:1"}});
  EXPECT_EQ(refused(ranks_with_two_gpus(1), Parallel{}, std::optional<Wish>(), environment),
            "CTEST_RESOURCE_GROUP_0_GPUS is 'slots:1'; it must name a GPU as in id:0,slots:1");
}

TEST(DeviceMap, RefusesARankWithoutGpu)
{
  EXPECT_EQ(
      refused(std::vector{rank_with(0, {gpu(0, "18")}), rank_with(1, {})}),
      "rank 1 on host n1 sees no GPU and this build runs on GPUs; ask the scheduler for one "
      "GPU per rank or use a CPU build");
}

TEST(DeviceMap, WarnsOfAGpuOnAnotherNumaNode)
{
  auto far = rank_with(0, {gpu(0, "18", 1)});
  far.numa = {0};
  EXPECT_EQ(
      mapped({far}).warnings,
      std::vector<std::string>{
          "rank 0 on host n1 runs on NUMA node 0 but NVIDIA H200 0000:18:00.0 is attached "
          "to NUMA node 1: its transfers take the long way"});
  far.numa = {0, 1};
  EXPECT_TRUE(mapped({far}).warnings.empty());
}

TEST(DeviceMap, GpuRanksMayShareHostCores)
{
  auto node = ranks_with_two_gpus(2);
  for (auto& sight : node) {
    sight.cpus = {0, 1, 2, 3};
    sight.cores = 4;
  }
  auto const result = mapped(node);
  EXPECT_TRUE(result.exclusive);
  EXPECT_EQ(result.threads, (std::vector<int>{2, 2}));
}

} // namespace

} // namespace strata::runtime
