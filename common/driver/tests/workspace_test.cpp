#include "base/error.hpp"
#include "driver/workspace.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace strata::driver {

namespace {

TEST(Workspace, HoldsTheLargestOfEachNumberAndPaging)
{
  Workspace workspace;
  EXPECT_EQ(workspace.bytes(), 0);
  workspace.reserve({{0, 100}, {1, 1000}});
  workspace.reserve({{0, 300}, {1, 10}});
  EXPECT_EQ(workspace.bytes(), 1300);
  workspace.reserve({{0, 50, Pages::huge}});
  EXPECT_EQ(workspace.bytes(), 1350);
}

TEST(Workspace, LendsCasesTheSameBlock)
{
  Workspace workspace;
  workspace.reserve({{0, 100}, {1, 1000}});
  workspace.reserve({{0, 300}, {0, 5000, Pages::huge}});
  auto const first = workspace.take({0, 100});
  auto const second = workspace.take({0, 300});
  EXPECT_EQ(first.data(), second.data());
  EXPECT_EQ(first.size(), 300U);
  EXPECT_EQ(first.label(), "strata::Workspace 0");
  EXPECT_NE(workspace.take({1, 1000}).data(), first.data());
  auto const huge = workspace.take({0, 5000, Pages::huge});
  EXPECT_NE(huge.data(), first.data());
  EXPECT_EQ(huge.size(), 5000U);
}

/// The message that refuses a slot.
std::string refusal(Workspace& workspace, Slot const& slot)
{
  try {
    workspace.take(slot);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::internal);
    return error.what();
  }
  return "lent";
}

TEST(Workspace, LendsNothingUnreserved)
{
  Workspace workspace;
  workspace.reserve({{0, 100}});
  auto const* const expected = "a case takes pooled memory it has not reserved";
  EXPECT_NE(refusal(workspace, {1, 100}).find(expected), std::string::npos);
  EXPECT_NE(refusal(workspace, {0, 101}).find(expected), std::string::npos);
  EXPECT_NE(refusal(workspace, {0, 100, Pages::huge}).find(expected), std::string::npos);
  EXPECT_EQ(refusal(workspace, {0, 100}), "lent");
}

/// A block of 64 kB that one case has filled before another gets it; its middle.
int middle_after(Placement placement, int second_owner)
{
  int const owners[2] = {};
  std::vector<Slot> const slots{{0, 1 << 16}};
  Workspace workspace(placement);
  workspace.reserve(slots);
  auto const block = workspace.take(slots[0]);
  workspace.hand_to(&owners[0], slots);
  Kokkos::deep_copy(block, std::byte{7});
  workspace.hand_to(&owners[second_owner], slots);
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), block);
  return std::to_integer<int>(copy(1 << 15));
}

TEST(Workspace, LetsEachCasePlaceItsPagesWhereAsked)
{
  EXPECT_EQ(middle_after(Placement::once, 1), 7);
  EXPECT_EQ(middle_after(Placement::of_each_case, 0), 7) << "the same case goes on";
  EXPECT_EQ(middle_after(Placement::of_each_case, 1), device_is_host ? 0 : 7);
}

} // namespace

} // namespace strata::driver
