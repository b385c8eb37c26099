#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace strata::text {

namespace {

using Words = std::vector<std::string>;

TEST(Text, JoinsWords)
{
  EXPECT_EQ(join(Words{"a", "b", "b"}), "a, b, b");
  EXPECT_EQ(join(Words{"a", "b"}, "/"), "a/b");
  EXPECT_EQ(join(Words{}), "");
}

TEST(Text, SplitsKeepingEmptyWords)
{
  EXPECT_EQ(split("a.b.c", '.'), (Words{"a", "b", "c"}));
  EXPECT_EQ(split(".a..", '.'), (Words{"", "a", "", ""}));
  EXPECT_EQ(split("a", '.'), Words{"a"});
  EXPECT_EQ(split("", '.'), Words{});
}

TEST(Text, FindsTheNearestWord)
{
  Words const keys{"rows", "cols", "layout"};
  EXPECT_EQ(nearest("colums", keys), "cols");
  EXPECT_EQ(nearest("layuot", keys), "layout");
  EXPECT_EQ(nearest("rosw", keys), "rows");
  EXPECT_EQ(nearest("rows", keys), "rows");
  EXPECT_EQ(nearest("seed", keys), std::nullopt);
  EXPECT_EQ(nearest("rows", Words{}), std::nullopt);
}

TEST(Text, ReadsDecimalsAlone)
{
  for (auto* const read : {&real, &real_by_strtod}) {
    EXPECT_EQ(read("4.012e+12"), 4.012e12);
    EXPECT_EQ(read("-0.1"), -0.1);
    EXPECT_EQ(read(".5"), 0.5);
    EXPECT_EQ(read("inf"), INFINITY);
    EXPECT_EQ(read("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
    EXPECT_TRUE(std::signbit(read("-0").value()));
    EXPECT_TRUE(std::isnan(read("nan").value()));
    for (auto const* const none :
         {"", " 1", "1 ", "+1", "0x1p3", "1,5", "1e", "1e400", "-1e400", "1e-400", "one"})
      EXPECT_EQ(read(none), std::nullopt) << none;
    EXPECT_EQ(read(std::string_view("1\0", 2)), std::nullopt);
  }
}

TEST(Text, WritesTheShortestExactNumber)
{
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(4.012e12), "4.012e+12");
  EXPECT_EQ(number(-3), "-3");
  EXPECT_EQ(std::stod(number(1.0 / 3.0)), 1.0 / 3.0);
}

TEST(Text, RoundsToSignificantDigits)
{
  EXPECT_EQ(rounded(3.14159, 3), "3.14");
  EXPECT_EQ(rounded(123456, 3), "1.23e+05");
}

TEST(Text, ScalesBytesByBinarySteps)
{
  EXPECT_EQ(bytes(0), "0 B");
  EXPECT_EQ(bytes(512), "512 B");
  EXPECT_EQ(bytes(1023), "1023 B");
  EXPECT_EQ(bytes(1024), "1 KiB");
  EXPECT_EQ(bytes(1536), "1.5 KiB");
  EXPECT_EQ(bytes(4.0 * (1 << 30)), "4 GiB");
  EXPECT_EQ(bytes((1 << 20) - 1), "1 MiB");
}

TEST(Text, ScalesRatesByDecimalSteps)
{
  EXPECT_EQ(si(4.012e12, "B/s"), "4.01 TB/s");
  EXPECT_EQ(si(999.9e9, "B/s"), "1 TB/s");
  EXPECT_EQ(si(-2500, "flop"), "-2.5 kflop");
  EXPECT_EQ(si(1.5e22, "B"), "15000 EB");
}

TEST(Text, ScalesSeconds)
{
  EXPECT_EQ(seconds(0), "0 s");
  EXPECT_EQ(seconds(12.34e-9), "12.3 ns");
  EXPECT_EQ(seconds(12.34e-6), "12.3 us");
  EXPECT_EQ(seconds(4.56e-3), "4.56 ms");
  EXPECT_EQ(seconds(0.99999e-3), "1 ms");
  EXPECT_EQ(seconds(1.2), "1.2 s");
  EXPECT_EQ(seconds(3600), "3600 s");
  EXPECT_EQ(seconds(-0.25), "-250 ms");
}

TEST(Text, CountsInWords)
{
  EXPECT_EQ(plural(1, "problem"), "1 problem");
  EXPECT_EQ(plural(2, "problem"), "2 problems");
  EXPECT_EQ(plural(0, "rank"), "0 ranks");
}

} // namespace

} // namespace strata::text
