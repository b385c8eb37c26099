#include "base/error.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace strata {

namespace {

TEST(Error, CarriesItsExitCode)
{
  Error const error(Exit::placement, "two ranks share device 0");
  EXPECT_EQ(error.exit(), Exit::placement);
  EXPECT_STREQ(error.what(), "two ranks share device 0");
}

TEST(Failure, TellsWhoseAnExceptionIs)
{
  EXPECT_EQ(Failure(Error(Exit::deck, "a")).exit, Exit::deck);
  EXPECT_EQ(Failure(std::length_error("no room")).exit, Exit::memory);
  EXPECT_EQ(Failure(std::length_error("no room")).text, "no room");
  EXPECT_EQ(Failure(std::bad_alloc()).exit, Exit::memory);
  EXPECT_EQ(Failure(std::invalid_argument("b")).exit, Exit::internal);
}

TEST(Error, CheckNamesPlaceMessageAndCondition)
{
  int const rows = -1;
  int const line = __LINE__ + 2;
  try {
    STRATA_CHECK(rows >= 0, "rows of 'A'");
    FAIL() << "the check passed";
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::internal);
    EXPECT_EQ(error.what(), "common/base/tests/error_test.cpp:" + std::to_string(line) +
                                ": rows of 'A' (violated: rows >= 0)");
  }
}

TEST(Error, CheckPassesSilently)
{
  EXPECT_NO_THROW(STRATA_CHECK(1 + 1 == 2, "arithmetic"));
}

} // namespace

} // namespace strata
