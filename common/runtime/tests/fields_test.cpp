#include "base/error.hpp"
#include "runtime/mpi/fields.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

TEST(Fields, ComeBackAsTheyWere)
{
  std::vector<std::string> const fields{"", "a:b", "3:abc", std::string("\0\n", 2), ""};
  EXPECT_EQ(unpack(pack(fields)), fields);
  EXPECT_TRUE(unpack(pack({})).empty());
}

TEST(Fields, RefuseWhatWasNotPacked)
{
  EXPECT_THROW(unpack("9:abc"), Error);
  EXPECT_THROW(unpack("abc"), Error);
}

} // namespace

} // namespace strata::runtime
