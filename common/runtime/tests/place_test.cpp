#include "runtime/placement/place.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

Place gpu_place()
{
  return {"n1",
          1,
          1,
          "8-15",
          1,
          8,
          1,
          "NVIDIA H200",
          "0000:18:00.0",
          "GPU-18",
          "580.82.07",
          std::int64_t{1} << 37,
          "OMP_PROC_BIND=close"};
}

TEST(Place, CrossesTheJobUnchanged)
{
  auto const back = unpack_place(pack_place(gpu_place()));
  EXPECT_EQ(back.host, "n1");
  EXPECT_EQ(back.rank, 1);
  EXPECT_EQ(back.local_rank, 1);
  EXPECT_EQ(back.cpuset, "8-15");
  EXPECT_EQ(back.numa, 1);
  EXPECT_EQ(back.threads, 8);
  EXPECT_EQ(back.device_id, 1);
  EXPECT_EQ(back.device, "NVIDIA H200");
  EXPECT_EQ(back.pci_id, "0000:18:00.0");
  EXPECT_EQ(back.uuid, "GPU-18");
  EXPECT_EQ(back.driver, "580.82.07");
  EXPECT_EQ(back.memory_bytes, std::int64_t{1} << 37);
  EXPECT_EQ(back.binding, "OMP_PROC_BIND=close");
}

TEST(Place, ReportLinesUpItsColumns)
{
  Place cpu;
  cpu.host = "node10";
  cpu.cpuset = "0-7";
  cpu.device = "AMD EPYC";
  cpu.binding = "none";
  EXPECT_EQ(
      binding_report({cpu, gpu_place()}),
      "host    rank  local  cpuset  numa  threads  binding              id  device       pci\n"
      "node10  0     0      0-7     -     1        none                 -   AMD EPYC     -\n"
      "n1      1     1      8-15    1     8        OMP_PROC_BIND=close  1   NVIDIA H200  "
      "0000:18:00.0\n");
}

} // namespace

} // namespace strata::runtime
