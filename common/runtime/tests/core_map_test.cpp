#include "variables.hpp"

#include "base/error.hpp"
#include "runtime/placement/core_map.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

/// Rank `number` of host n1, on these hardware threads of one core each.
Sight rank(int number, Cpus cpus)
{
  Sight sight;
  sight.host = "n1";
  sight.rank = number;
  sight.cores = static_cast<int>(cpus.size());
  sight.cpus = std::move(cpus);
  sight.numa = {0};
  return sight;
}

NodeMap map(std::vector<Sight> const& node, Parallel const& parallel = {},
            Target target = Target::threads)
{
  return map_node(node, parallel, std::nullopt, target, variables({}));
}

/// The message of the placement error that this leads to.
std::string refusal(std::vector<Sight> const& node, Parallel const& parallel = {})
{
  try {
    map(node, parallel);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::placement);
    return error.what();
  }
  return "accepted";
}

using Numbers = std::vector<int>;
using Warnings = std::vector<std::string>;

TEST(CoreMap, BoundRanksTakeTheirCores)
{
  auto const result = map({rank(0, {0, 1, 2}), rank(1, {3, 4})});
  EXPECT_EQ(result.threads, (Numbers{3, 2}));
  EXPECT_EQ(result.devices, (Numbers{-1, -1}));
  EXPECT_TRUE(result.exclusive);
  EXPECT_TRUE(result.warnings.empty());
}

TEST(CoreMap, HardwareThreadsOfOneCoreCountOnce)
{
  auto hyperthreaded = rank(0, {0, 1, 8, 9});
  hyperthreaded.cores = 2;
  EXPECT_EQ(map({hyperthreaded}).threads, Numbers{2});
}

TEST(CoreMap, UnboundRanksShareTheCoresAndAreWarned)
{
  auto const result = map({rank(0, {0, 1}), rank(1, {0, 1}), rank(2, {0, 1})});
  EXPECT_EQ(result.threads, (Numbers{1, 1, 1}));
  EXPECT_FALSE(result.exclusive);
  EXPECT_EQ(
      result.warnings,
      Warnings{"ranks 0, 1 and 2 on host n1 have overlapping cpusets (3 threads on 2 CPUs: "
               "0-1) and disturb each other; bind each rank to its own cores (srun "
               "--cpu-bind=cores, mpirun --bind-to core --map-by slot:PE=N)"});
}

TEST(CoreMap, OnlyOverlappingRanksAreNamed)
{
  auto const result = map({rank(0, {0, 1}), rank(1, {4, 5}), rank(2, {1, 2})});
  EXPECT_EQ(result.threads, (Numbers{1, 2, 1}));
  EXPECT_FALSE(result.exclusive);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(
      result.warnings[0].find("ranks 0 and 2 on host n1 have overlapping cpusets (2 threads "
                              "on 3 CPUs: 0-2)"),
      0U);
}

TEST(CoreMap, SaysWhenBoundThreadsPileUp)
{
  auto node = std::vector{rank(0, {0, 1}), rank(1, {0, 1})};
  node[0].proc_bind = node[1].proc_bind = "spread";
  auto const result = map(node);
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_EQ(
      result.warnings[1],
      "OMP_PROC_BIND=spread piles the threads of ranks 0 and 1 on host n1 on the same CPUs; "
      "unset it or bind each rank to its own cores");
  node[0].proc_bind = node[1].proc_bind = "false";
  EXPECT_EQ(map(node).warnings.size(), 1U);
}

TEST(CoreMap, UsersThreadsWin)
{
  auto chosen = rank(0, {0, 1, 2, 3});
  chosen.threads = Wish{2, "OMP_NUM_THREADS"};
  EXPECT_EQ(map({chosen}).threads, Numbers{2});
  EXPECT_EQ(map({chosen}, {}, Target::serial).threads, Numbers{1});
}

TEST(CoreMap, RefusesMoreThreadsThanCpus)
{
  auto crowded = rank(3, {7});
  crowded.threads = Wish{4, "OMP_NUM_THREADS"};
  EXPECT_EQ(
      refusal({crowded}),
      "rank 3 on host n1 may run on 1 CPU (7) but OMP_NUM_THREADS asks for 4 threads; bind "
      "more cores to each rank (srun --cpus-per-task=4 --cpu-bind=cores, mpirun --map-by "
      "slot:PE=4), ask for fewer threads or set parallel.share_devices: true");

  auto const result = map({crowded}, {.share_devices = true});
  EXPECT_EQ(result.threads, Numbers{4});
  EXPECT_FALSE(result.exclusive);
  EXPECT_EQ(result.warnings, Warnings{"rank 3 on host n1 runs 4 threads on 1 CPU: 7"});
}

TEST(CoreMap, QuotaOfTheControlGroupLimitsThreads)
{
  auto node = std::vector{rank(0, {0, 1, 2, 3}), rank(1, {4, 5, 6, 7})};
  node[0].quota = node[1].quota = 3.0;
  EXPECT_EQ(map(node).threads, (Numbers{1, 1}));
  node.pop_back();
  EXPECT_EQ(map(node).threads, Numbers{3});
}

TEST(CoreMap, WarnsOfThreadsThatMayLeaveTheirMemory)
{
  auto wide = rank(0, {0, 1, 2, 3});
  wide.numa = {0, 1};
  EXPECT_EQ(
      map({wide}).warnings,
      Warnings{"rank 0 on host n1 spans NUMA nodes 0-1 and its threads may move between "
               "them; set OMP_PROC_BIND=spread and OMP_PLACES=cores, or start one rank per "
               "NUMA node"});
  wide.proc_bind = "spread";
  EXPECT_TRUE(map({wide}).warnings.empty());
}

TEST(CoreMap, RefusesANumberedDevice)
{
  EXPECT_EQ(refusal({rank(0, {0})}, {.device = "1"}),
            "parallel.device is 1 but this build runs on CPUs, where a rank's device is its "
            "cpuset; set parallel.device: auto");
}

} // namespace

} // namespace strata::runtime
