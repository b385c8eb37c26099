#include "base/error.hpp"
#include "driver/workspace.hpp"

#include <gtest/gtest.h>

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

} // namespace

} // namespace strata::driver
