#include "variables.hpp"

#include "base/error.hpp"
#include "runtime/placement/wish.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

TEST(Wish, TakesFlagsUnderAnySpellingAndLeavesTheOthers)
{
  std::vector<std::string> flags{"--kokkos-threads=2", "--kokkos-tools-libs=x",
                                 "--kokkos-num-threads=4"};
  auto const wish = take_flag(flags, {"--kokkos-num-threads", "--kokkos-threads"});
  EXPECT_EQ(wish, (Wish{4, "--kokkos-num-threads"}));
  EXPECT_EQ(flags, std::vector<std::string>{"--kokkos-tools-libs=x"});
  EXPECT_FALSE(take_flag(flags, {"--kokkos-device-id"}));
}

TEST(Wish, RefusesFlagsWithoutANumber)
{
  for (std::string const flag : {"--kokkos-device-id=two", "--kokkos-device-id"}) {
    std::vector<std::string> flags{flag};
    try {
      take_flag(flags, {"--kokkos-device-id"});
      FAIL() << flag;
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::command_line);
      EXPECT_EQ(error.what(), flag + ": write --kokkos-device-id=N with a whole number N");
    }
  }
}

TEST(Wish, ReadsTheFirstNumberOfAVariable)
{
  auto const environment = variables({{"OMP_NUM_THREADS", "4,2"}, {"BAD", "many"}});
  EXPECT_EQ(wished_in(environment, "OMP_NUM_THREADS"), (Wish{4, "OMP_NUM_THREADS"}));
  EXPECT_FALSE(wished_in(environment, "BAD"));
  EXPECT_FALSE(wished_in(environment, "UNSET"));
}

TEST(Wish, DeckNamesADeviceOrLeavesItOpen)
{
  EXPECT_FALSE(wished_in_deck("auto"));
  EXPECT_EQ(wished_in_deck("3"), (Wish{3, "parallel.device"}));
}

} // namespace

} // namespace strata::runtime
