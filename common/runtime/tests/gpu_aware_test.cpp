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

/// The path, by proofs of MPI and of copies from device to device.
GpuAware path(std::string const& requested, LibraryClaim const& library, std::string (*aware)(),
              std::string (*peer)())
{
  return choose_path(requested, false, library, {aware, peer});
}

std::string refusal(std::string const& requested, LibraryClaim const& library,
                    std::string (*aware)(), std::string (*peer)() = must_not_be_tried)
{
  try {
    path(requested, library, aware, peer);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::placement);
    return error.what();
  }
  return "accepted";
}

TEST(GpuAware, HostArraysNeedNoDecision)
{
  for (auto const* requested : {"auto", "on", "aware", "peer", "staged", "off"}) {
    auto const chosen =
        choose_path(requested, true, silent, {must_not_be_tried, must_not_be_tried});
    expect(chosen, "host", "arrays are in host memory");
    EXPECT_EQ(chosen.requested, requested);
  }
}

TEST(GpuAware, StagesWithoutAskingWhereThatIsWished)
{
  expect(path("off", yes, must_not_be_tried, must_not_be_tried), "staged",
         "parallel.gpu_aware_mpi is off");
  expect(path("staged", yes, must_not_be_tried, must_not_be_tried), "staged",
         "parallel.gpu_aware_mpi is staged");
}

TEST(GpuAware, AutoNeverTriesMpiAfterANo)
{
  expect(path("auto", no, must_not_be_tried, fails), "staged",
         "MPI 1 says no (query); no copies from device to device: wrong numbers arrived");
  expect(path("auto", silent, must_not_be_tried, fails), "staged",
         "MPI 1 cannot be asked; no copies from device to device: wrong numbers arrived");
}

TEST(GpuAware, AutoProvesAYes)
{
  expect(path("auto", yes, works, must_not_be_tried), "aware",
         "MPI 1 says yes (query); an exchange of device memory proved it");
  expect(path("auto", yes, fails, fails), "staged",
         "MPI 1 says yes (query); an exchange of device memory failed: wrong numbers arrived; "
         "no copies from device to device: wrong numbers arrived");
}

TEST(GpuAware, AutoCopiesFromDeviceToDeviceWhereMpiCannot)
{
  expect(path("auto", no, must_not_be_tried, works), "peer",
         "MPI 1 says no (query); copies from device to device were proved");
  expect(path("auto", yes, fails, works), "peer",
         "MPI 1 says yes (query); an exchange of device memory failed: wrong numbers arrived; "
         "copies from device to device were proved");
}

TEST(GpuAware, WhatIsAskedForIsProvedOrRefused)
{
  for (std::string const requested : {"on", "aware"}) {
    EXPECT_EQ(path(requested, silent, works, must_not_be_tried).used, "aware");
    EXPECT_EQ(refusal(requested, no, must_not_be_tried),
              "parallel.gpu_aware_mpi is " + requested +
                  " but MPI 1 says no (query); set it to auto or staged, or use an MPI library "
                  "with GPU support");
    EXPECT_EQ(refusal(requested, yes, fails),
              "parallel.gpu_aware_mpi is " + requested +
                  " but MPI 1 says yes (query); an exchange of device memory failed: wrong "
                  "numbers arrived; set it to auto or staged, or use an MPI library with GPU "
                  "support");
  }
  expect(path("peer", {}, must_not_be_tried, works), "peer",
         "parallel.gpu_aware_mpi is peer; copies from device to device were proved");
  EXPECT_EQ(
      refusal("peer", {}, must_not_be_tried, fails),
      "parallel.gpu_aware_mpi is peer but wrong numbers arrived; set it to auto or staged");
  EXPECT_EQ(
      refusal("maybe", yes, works),
      "parallel.gpu_aware_mpi is 'maybe'; choose from auto, aware, peer, staged, on, off");
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
