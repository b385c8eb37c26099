#include "runtime/memory.hpp"
#include "testing/temporary_root.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace strata::runtime {

namespace {

TEST(Memory, TakesTheKernelsEstimateWithoutALimit)
{
  testing::TemporaryRoot const root;
  root.write("proc/meminfo", "MemTotal:  4000 kB\nMemFree:  100 kB\nMemAvailable:  3000 kB\n");
  EXPECT_EQ(free_host_memory(root.path()), 3000 * 1024);
  EXPECT_EQ(host_memory(root.path()), 4000 * 1024);
}

TEST(Memory, ObeysTheTightestControlGroup)
{
  testing::TemporaryRoot const root;
  root.write("proc/meminfo", "MemAvailable:  1000000 kB\n");
  root.write("proc/self/cgroup", "0::/job/step\n");
  root.write("sys/fs/cgroup/cgroup.controllers", "memory\n");
  root.write("sys/fs/cgroup/job/memory.max", "500000\n");
  root.write("sys/fs/cgroup/job/memory.current", "300000\n");
  root.write("sys/fs/cgroup/job/memory.stat", "anon 250000\nfile 50000\ninactive_file 40000\n");
  root.write("sys/fs/cgroup/job/step/memory.max", "max\n");
  root.write("sys/fs/cgroup/job/step/memory.current", "300000\n");
  EXPECT_EQ(free_host_memory(root.path()), 240000);
}

TEST(Memory, ObeysOlderControlGroups)
{
  testing::TemporaryRoot const root;
  root.write("proc/meminfo", "MemAvailable:  1000000 kB\n");
  root.write("proc/self/cgroup", "4:memory:/box\n0::/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "600000\n");
  EXPECT_EQ(free_host_memory(root.path()), 0);
}

TEST(Memory, ObeysTheLimitOfTheAddressSpace)
{
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  std::int64_t constexpr bytes = std::int64_t{1} << 46; // beyond what a test maps
  rlimit const bound{std::min(rlim_t{bytes}, before.rlim_max), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &bound), 0);
  auto const free = free_address_space();
  EXPECT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_GT(free, 0);
  EXPECT_LT(free, bytes);
}

TEST(Memory, ThisRankHasSome)
{
  EXPECT_GT(available_memory(), 0);
  EXPECT_GE(last_level_cache_bytes(), 0);
}

} // namespace

} // namespace strata::runtime
