#include "deck/issue.hpp"

#include <gtest/gtest.h>

namespace strata::deck {

namespace {

TEST(Issue, IsOneLineWithItsPlace)
{
  EXPECT_EQ(to_string({{"bad.yaml", 3, 9}, "rows is -5"}), "bad.yaml:3:9: rows is -5");
  EXPECT_EQ(to_string({{"--set rows=-5"}, "rows is -5"}), "--set rows=-5: rows is -5");
}

TEST(Invalid, ListsAllIssuesByPlaceAndCountsThem)
{
  Invalid const invalid({{{"--set a=b"}, "fourth"},
                         {{"bad.yaml", 12, 1}, "third"},
                         {{"bad.yaml", 3, 10}, "second"},
                         {{"bad.yaml", 3, 9}, "first"},
                         {{"--set A=b"}, "fifth"}});
  EXPECT_EQ(invalid.exit(), Exit::deck);
  EXPECT_STREQ(invalid.what(), "bad.yaml:3:9: first\n"
                               "bad.yaml:3:10: second\n"
                               "bad.yaml:12:1: third\n"
                               "--set a=b: fourth\n"
                               "--set A=b: fifth\n"
                               "5 problems in the deck; nothing was run");
  EXPECT_EQ(invalid.issues().front().text, "first");
}

TEST(Invalid, CountsASingleProblem)
{
  EXPECT_STREQ(Invalid({{{"bad.yaml", 1, 1}, "odd"}}).what(),
               "bad.yaml:1:1: odd\n1 problem in the deck; nothing was run");
}

} // namespace

} // namespace strata::deck
