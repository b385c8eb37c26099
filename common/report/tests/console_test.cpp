#include "example.hpp"

#include "report/console.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace strata::report {
namespace {

TEST(Heading, SaysWhatRunsWhere)
{
  EXPECT_EQ(heading(example::record(), false),
            R"(strata-stream 0.1.0 (0123456789ab, with uncommitted changes)
  build    Release, GNU 12.2.0, Kokkos 4.6.99 (Cuda, OpenMP), Open MPI 4.1.4
  ranks    4 ranks x 16 threads on 1 node of alps
  devices  4 x NVIDIA H200
  deck     inputs/quick.yaml with run.rounds=20, tier quick
)");
}

TEST(Heading, SaysWhenRanksDiffer)
{
  auto record = example::record();
  record.mpi.nodes = 2;
  record.placement[3].threads = 15;
  record.placement[3].device = "NVIDIA H100";
  record.deck = {};
  record.suite.dirty = false;
  record.build.bounds_check = true;
  EXPECT_EQ(heading(record, false),
            R"(strata-stream 0.1.0 (0123456789ab)
  build    Release, GNU 12.2.0, Kokkos 4.6.99 (Cuda, OpenMP), Open MPI 4.1.4, bounds checks on
  ranks    4 ranks x 15-16 threads on 2 nodes of alps
  devices  3 x NVIDIA H200, 1 x NVIDIA H100
  deck     built in, tier quick
)");
}

TEST(CeilingLine, NamesTheRateOfEachMix)
{
  EXPECT_EQ(ceiling_line(example::record(), false),
            "  ceiling  read 3.9 TB/s, write 3.1 TB/s, copy 3.8 TB/s, triad 4 TB/s\n");
}

TEST(CeilingLine, SaysWhyThereIsNone)
{
  auto record = example::record();
  record.ceilings.clear();
  record.run.tier = "smoke";
  EXPECT_EQ(ceiling_line(record, false), "  ceiling  not measured: tier smoke\n");
}

TEST(Warnings, AreOneLineEach)
{
  EXPECT_EQ(warning_lines({}, true), "");
  EXPECT_EQ(warning_lines({"a", "b"}, false), "warning: a\nwarning: b\n");
}

TEST(Progress, LeavesAnEmptyLine)
{
  std::ostringstream out;
  {
    Progress progress(out, true);
    progress.show("round 1 of 20");
  }
  EXPECT_EQ(out.str(), "\r\033[Kround 1 of 20\r\033[K");
}

TEST(Progress, CutsWhatWouldWrap)
{
  std::ostringstream out;
  Progress(out, true).show(std::string(200, 'x'));
  EXPECT_EQ(out.str(), "\r\033[K" + std::string(79, 'x') + "\r\033[K");
}

TEST(Progress, IsSilentOffATerminal)
{
  std::ostringstream out;
  {
    Progress progress(out, false);
    progress.show("round 1 of 20");
  }
  EXPECT_EQ(out.str(), "");
}

} // namespace
} // namespace strata::report
