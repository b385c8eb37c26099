#include "runtime/node/cpuset.hpp"
#include "runtime/node/gpu.hpp"
#include "testing/temporary_root.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

/// Four hardware threads: two cores of two, each core with its own 32 MiB last-level cache
/// and NUMA node.
void describe_machine(testing::TemporaryRoot const& root)
{
  for (int cpu = 0; cpu < 4; ++cpu) {
    auto const folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
    auto const* const siblings = cpu % 2 == 0 ? "0,2\n" : "1,3\n";
    root.write(folder + "/topology/core_cpus_list", siblings);
    auto const cache = [&](char const* index, char const* level, char const* type,
                           char const* size) {
      root.write(folder + "/cache/index" + index + "/level", level);
      root.write(folder + "/cache/index" + index + "/type", type);
      root.write(folder + "/cache/index" + index + "/size", size);
      root.write(folder + "/cache/index" + index + "/shared_cpu_list", siblings);
    };
    cache("0", "1\n", "Data\n", "48K\n");
    cache("1", "1\n", "Instruction\n", "32K\n");
    cache("2", "3\n", "Unified\n", "32M\n");
  }
  root.write("sys/devices/system/node/online", "0-1\n");
  root.write("sys/devices/system/node/node0/cpulist", "0,2\n");
  root.write("sys/devices/system/node/node1/cpulist", "1,3\n");
}

TEST(Cpuset, ReadsAndWritesTheKernelsLists)
{
  EXPECT_EQ(parse_cpus("0-3,8,10-11"), (Cpus{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpus("").size(), 0U);
  EXPECT_EQ(format_cpus({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(format_cpus({5}), "5");
  EXPECT_EQ(format_cpus({}), "");
}

TEST(Cpuset, IntersectsWhereOneCpuIsInBoth)
{
  EXPECT_TRUE(intersect({0, 1, 4}, {2, 4}));
  EXPECT_FALSE(intersect({0, 1}, {2, 3}));
  EXPECT_FALSE(intersect({}, {0}));
}

TEST(Cpuset, CountsCoresCachesAndNodesOfTheMachine)
{
  testing::TemporaryRoot const root;
  describe_machine(root);
  EXPECT_EQ(core_count({0, 2}, root.path()), 1);
  EXPECT_EQ(core_count({0, 1, 2, 3}, root.path()), 2);
  EXPECT_EQ(cache_bytes({0, 2}, root.path()), 32 << 20);
  EXPECT_EQ(cache_bytes({0, 1, 2, 3}, root.path()), 64 << 20);
  EXPECT_EQ(numa_nodes({1}, root.path()), std::vector<int>{1});
  EXPECT_EQ(numa_nodes({0, 3}, root.path()), (std::vector<int>{0, 1}));
}

TEST(Cpuset, CountsMemoryThatCachesSlowerMemory)
{
  testing::TemporaryRoot const root;
  root.write("sys/devices/system/node/online", "0-1\n");
  root.write("sys/devices/system/node/node0/cpulist", "0-1\n");
  root.write("sys/devices/system/node/node1/cpulist", "2-3\n");
  for (auto const* node : {"node0", "node1"})
    root.write(std::string("sys/devices/system/node/") + node +
                   "/memory_side_cache/index1/size",
               "17179869184\n");
  EXPECT_EQ(cache_bytes({0}, root.path()), std::int64_t{16} << 30);
  EXPECT_EQ(cache_bytes({0, 2}, root.path()), std::int64_t{32} << 30);
}

TEST(Gpu, HasTheCacheBesideItsMemoryThatIsKnownOfItsKind)
{
  EXPECT_EQ(infinity_cache_bytes("gfx942:sramecc+:xnack-"), 256 << 20);
  EXPECT_EQ(infinity_cache_bytes("gfx950"), 256 << 20);
  EXPECT_EQ(infinity_cache_bytes("gfx90a:sramecc+:xnack-"), 0);
}

TEST(Cpuset, SilentSystemHasOneCorePerCpuAndUnknownCache)
{
  testing::TemporaryRoot const root;
  EXPECT_EQ(core_count({0, 1, 2}, root.path()), 3);
  EXPECT_EQ(cache_bytes({0, 1, 2}, root.path()), 0);
  EXPECT_TRUE(numa_nodes({0}, root.path()).empty());
  EXPECT_EQ(cpu_model(root.path()), "unknown CPU");
}

TEST(Cpuset, ReadsTheModelsName)
{
  testing::TemporaryRoot const root;
  root.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 9654 96-Core Processor\n");
  EXPECT_EQ(cpu_model(root.path()), "AMD EPYC 9654 96-Core Processor");
}

TEST(Cpuset, TightestQuotaOfTheControlGroupsCounts)
{
  testing::TemporaryRoot const root;
  root.write("proc/self/cgroup", "0::/job/step\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
  EXPECT_FALSE(cpu_quota(root.path()));
  root.write("sys/fs/cgroup/job/cpu.max", "250000 100000\n");
  root.write("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 2.5);
}

TEST(Cpuset, OlderControlGroupsHaveQuotasToo)
{
  testing::TemporaryRoot const root;
  root.write("proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/job\n0::/\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cpu_quota(root.path()), 1.5);
}

TEST(Cpuset, ThisProcessRunsSomewhere)
{
  EXPECT_FALSE(process_cpus().empty());
}

} // namespace

} // namespace strata::runtime
