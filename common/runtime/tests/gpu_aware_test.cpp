#include "variables.hpp"

#include "base/error.hpp"
#include "runtime/mpi/gpu_aware.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

LibraryClaim const yes{Claim::yes, "MPI 1 says yes (query)"};
LibraryClaim const no{Claim::no, "MPI 1 says no (query)"};
LibraryClaim const silent{Claim::silent, "MPI 1 cannot be asked"};

std::string works()
{
  return {};
}

std::string fails()
{
  return "wrong numbers arrived";
}

std::string must_not_be_tried()
{
  ADD_FAILURE() << "a device pointer was tried";
  return {};
}

void expect(GpuAware const& path, std::string const& used, std::string const& how)
{
  EXPECT_EQ(path.used, used);
  EXPECT_EQ(path.how, how);
}

std::string refusal(LibraryClaim const& library, std::string (*prove)(),
                    std::string const& requested = "on")
{
  try {
    choose_path(requested, false, library, prove);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::placement);
    return error.what();
  }
  return "accepted";
}

TEST(GpuAware, HostArraysNeedNoDecision)
{
  expect(choose_path("auto", true, silent, must_not_be_tried), "host",
         "arrays are in host memory");
  EXPECT_EQ(choose_path("on", true, silent, must_not_be_tried).requested, "on");
}

TEST(GpuAware, OffStagesWithoutAsking)
{
  expect(choose_path("off", false, yes, must_not_be_tried), "staged",
         "parallel.gpu_aware_mpi is off");
}

TEST(GpuAware, AutoNeverTriesAfterANo)
{
  expect(choose_path("auto", false, no, must_not_be_tried), "staged", "MPI 1 says no (query)");
  expect(choose_path("auto", false, silent, must_not_be_tried), "staged",
         "MPI 1 cannot be asked");
}

TEST(GpuAware, AutoProvesAYes)
{
  expect(choose_path("auto", false, yes, works), "direct",
         "MPI 1 says yes (query); an exchange of device memory proved it");
  expect(choose_path("auto", false, yes, fails), "staged",
         "MPI 1 says yes (query); an exchange of device memory failed: wrong numbers arrived");
}

TEST(GpuAware, OnIsProvedOrRefused)
{
  EXPECT_EQ(choose_path("on", false, silent, works).used, "direct");
  EXPECT_EQ(refusal(no, must_not_be_tried),
            "parallel.gpu_aware_mpi is on but MPI 1 says no (query); set it to auto or off, or "
            "use an MPI library with GPU support");
  EXPECT_EQ(
      refusal(yes, fails),
      "parallel.gpu_aware_mpi is on but MPI 1 says yes (query); an exchange of device "
      "memory failed: wrong numbers arrived; set it to auto or off, or use an MPI library "
      "with GPU support");
  EXPECT_EQ(refusal(yes, works, "maybe"),
            "parallel.gpu_aware_mpi is 'maybe'; choose from auto, on, off");
}

TEST(GpuAware, LibraryGivesEveryRankOneAnswer)
{
  auto const world = Communicator::world();
  auto const library = ask_library(world, variables({}));
  EXPECT_EQ(world.broadcast(library.words), library.words);
  EXPECT_EQ(library.words.find(mpi_library()), 0U);
}

} // namespace

} // namespace strata::runtime
