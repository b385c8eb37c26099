#include "runtime/node/driver.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {
namespace {

TEST(Driver, VersionIsTheFirstWordOfDigitsAndPoints)
{
  EXPECT_EQ(version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  Wed Aug 27"),
            "580.82.07");
  EXPECT_EQ(
      version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86  Release"),
      "570.86");
  EXPECT_EQ(version_in("6.12.12"), "6.12.12");
}

TEST(Driver, VersionIsEmptyWhereThereIsNone)
{
  EXPECT_EQ(version_in(""), "");
  EXPECT_EQ(version_in("GCC version 12 x86_64 1.2. .3"), "");
}

} // namespace
} // namespace strata::runtime
