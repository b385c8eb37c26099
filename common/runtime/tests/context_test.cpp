#include "variables.hpp"

#include "base/pattern.hpp"
#include "runtime/context.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace strata::runtime {

namespace {

TEST(Context, KnowsTheSchedulersAndTheirArrays)
{
  auto const expect = [](std::map<std::string, std::string> const& table, char const* scheduler,
                         char const* id, char const* array_index) {
    auto const found = job(variables(table));
    EXPECT_EQ(found.scheduler, scheduler);
    EXPECT_EQ(found.id, id);
    EXPECT_EQ(found.array_index, array_index);
  };
  expect({}, "none", "", "");
  expect({{"SLURM_JOB_ID", "42"}}, "slurm", "42", "");
  expect({{"SLURM_JOB_ID", "43"}, {"SLURM_ARRAY_TASK_ID", "7"}}, "slurm", "43", "7");
  expect({{"PBS_JOBID", "9.host"}, {"PBS_ARRAY_INDEX", "3"}}, "pbs", "9.host", "3");
  expect({{"PBS_JOBID", "9[4].host"}, {"PBS_ARRAYID", "4"}}, "pbs", "9[4].host", "4");
  expect({{"LSB_JOBID", "5"}, {"LSB_JOBINDEX", "0"}}, "lsf", "5", "");
  expect({{"LSB_JOBID", "5"}, {"LSB_JOBINDEX", "2"}}, "lsf", "5", "2");
  expect({{"FLUX_JOB_ID", "f1"}, {"SLURM_JOB_ID", "42"}}, "flux", "f1", "");
}

TEST(Context, NamesTheSystem)
{
  EXPECT_EQ(
      system_name(variables({{"STRATA_SYSTEM", "alps"}, {"SLURM_CLUSTER_NAME", "daint"}})),
      "alps");
  EXPECT_EQ(system_name(variables({{"SLURM_CLUSTER_NAME", "daint"}})), "daint");
  EXPECT_FALSE(system_name(variables({})).empty());
}

TEST(Context, TakesALabelFromItsUser)
{
  EXPECT_EQ(user_label(variables({{"STRATA_LABEL", "new firmware"}})), "new firmware");
  EXPECT_EQ(user_label(variables({})), "");
}

TEST(Context, RecordsOnlyVariablesThatTellOfTheRun)
{
  setenv("OMP_STRATA_TEST", "1", 1);
  setenv("STRATA_TEST_SECRET", "token", 1);
  auto const environment = allowed_environment();
  EXPECT_TRUE(std::is_sorted(environment.begin(), environment.end()));
  EXPECT_EQ(std::count(environment.begin(), environment.end(),
                       std::pair<std::string, std::string>("OMP_STRATA_TEST", "1")),
            1);
  for (auto const& [name, value] : environment)
    EXPECT_TRUE(is_allowed_variable(name)) << name;
  for (auto const* name : {"PATH", "HOME", "USER", "STRATA_TEST_SECRET", "SLURM_JOB_ACCOUNT",
                           "SLURM_JOB_USER", "AWS_SECRET_ACCESS_KEY"})
    EXPECT_FALSE(is_allowed_variable(name)) << name;
}

TEST(Context, TellsTheBuild)
{
  auto const build = build_facts();
  EXPECT_EQ(build.cxx, "C++20");
  EXPECT_TRUE(Pattern("^[0-9]+\\.[0-9]+\\.[0-9]+$").matches_in(build.kokkos));
  EXPECT_FALSE(build.backends.empty());
  EXPECT_FALSE(build.arch.empty());
  EXPECT_EQ(build.mpi, mpi_library());
  EXPECT_FALSE(suite_facts().version.empty());
}

TEST(Context, WritesTimeInUtc)
{
  EXPECT_TRUE(Pattern("^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$")
                  .matches_in(utc_now()));
}

TEST(Context, CountsNodes)
{
  auto const world = Communicator::world();
  auto const nodes = node_count(world);
  EXPECT_GE(nodes, 1);
  EXPECT_LE(nodes, world.ranks());
}

TEST(Context, NoticesProfilingTools)
{
  EXPECT_EQ(profiling_tool(variables({})), "");
  EXPECT_EQ(profiling_tool(variables({{"KOKKOS_TOOLS_LIBS", "libkp.so"}})), "libkp.so");
  EXPECT_EQ(profiling_tool(variables({{"CUDA_INJECTION64_PATH", "tool.so"}})), "tool.so");
}

} // namespace

} // namespace strata::runtime
