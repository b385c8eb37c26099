#include "runtime/placement/sight.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

TEST(Sight, CrossesTheNodeUnchanged)
{
  Sight sight;
  sight.host = "n1";
  sight.rank = 5;
  sight.cpus = {0, 1, 8};
  sight.cores = 2;
  sight.numa = {0, 1};
  sight.proc_bind = "close";
  sight.quota = 2.5;
  sight.threads = Wish{4, "OMP_NUM_THREADS"};
  sight.gpus = {{0, "NVIDIA H200", "0000:18:00.0", "GPU-18", std::int64_t{1} << 37, 1},
                {1, "NVIDIA H200", "", "", 0, -1}};

  auto const back = unpack_sight(pack_sight(sight));
  EXPECT_EQ(back.host, sight.host);
  EXPECT_EQ(back.rank, sight.rank);
  EXPECT_EQ(back.cpus, sight.cpus);
  EXPECT_EQ(back.cores, sight.cores);
  EXPECT_EQ(back.numa, sight.numa);
  EXPECT_EQ(back.proc_bind, sight.proc_bind);
  EXPECT_EQ(back.quota, sight.quota);
  EXPECT_EQ(back.threads, (Wish{4, "OMP_NUM_THREADS"}));
  ASSERT_EQ(back.gpus.size(), 2U);
  EXPECT_EQ(back.gpus[0].name, "NVIDIA H200");
  EXPECT_EQ(back.gpus[0].pci_id, "0000:18:00.0");
  EXPECT_EQ(back.gpus[0].uuid, "GPU-18");
  EXPECT_EQ(back.gpus[0].memory_bytes, std::int64_t{1} << 37);
  EXPECT_EQ(back.gpus[0].numa, 1);
  EXPECT_EQ(back.gpus[1].id, 1);
}

TEST(Sight, WithoutWishesStaysSo)
{
  auto const back = unpack_sight(pack_sight(Sight{}));
  EXPECT_FALSE(back.quota);
  EXPECT_FALSE(back.threads);
  EXPECT_TRUE(back.cpus.empty());
  EXPECT_TRUE(back.gpus.empty());
}

TEST(Sight, GroupsThroughOthers)
{
  auto const neighbours = [](std::size_t a, std::size_t b) { return b == a + 2 || a == b + 2; };
  EXPECT_EQ(groups(5, neighbours), (std::vector<std::vector<std::size_t>>{{0, 2, 4}, {1, 3}}));
}

} // namespace

} // namespace strata::runtime
