#include "deck/scalar.hpp"

#include <gtest/gtest.h>

namespace strata::deck {

namespace {

/// The integer read, or a failure that names the text.
std::int64_t integer(std::string const& text)
{
  auto const number = read_number(text, Kind::integer);
  EXPECT_EQ(number.reading, Reading::good) << text;
  return number.reading == Reading::good ? std::get<std::int64_t>(number.value) : -1;
}

double real(std::string const& text)
{
  auto const number = read_number(text, Kind::real);
  EXPECT_EQ(number.reading, Reading::good) << text;
  return number.reading == Reading::good ? std::get<double>(number.value) : -1;
}

TEST(Scalar, ReadsWholeNumbersExactly)
{
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer("-0"), 0);
  EXPECT_EQ(integer("+12"), 12);
  EXPECT_EQ(integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(std::get<std::uint64_t>(read_number("18446744073709551615", Kind::natural).value),
            UINT64_MAX);
}

TEST(Scalar, ReadsAnExponentWhereTheNumberStaysWhole)
{
  EXPECT_EQ(integer("1e6"), 1000000);
  EXPECT_EQ(integer("2.50e3"), 2500);
  EXPECT_EQ(integer("1200E-2"), 12);
  EXPECT_EQ(integer("5."), 5);
  EXPECT_EQ(integer("0.0"), 0);
  EXPECT_EQ(integer("0e99999999999"), 0);
  EXPECT_EQ(integer("0.9007199254740993e16"), 9007199254740993); // 2^53 + 1: no double
}

TEST(Scalar, SaysWhyANumberIsNone)
{
  auto const whole = [](char const* text) { return read_number(text, Kind::integer).reading; };
  for (auto const* text : {"9223372036854775808", "-9223372036854775809", "1e19",
                           "1e99999999999", "99999999999999999999999"})
    EXPECT_EQ(whole(text), Reading::unfit) << text;
  for (auto const* text : {"1.5", "1e-1", "15e-1", "1e-99999999999"})
    EXPECT_EQ(whole(text), Reading::not_whole) << text;
  for (auto const* text : {"010", "-010", "00", "00.5"})
    EXPECT_EQ(whole(text), Reading::leading_zero) << text;
  for (auto const* text : {"1_000", "-1_000.0", "0_1"})
    EXPECT_EQ(whole(text), Reading::grouped) << text;
  for (auto const* text : {"", "-", ".", "e5", "1e", "1e+", "0x10", "0o10", "--1", "1 2", "ten",
                           ".nan", ".inf", "nan", "inf", "1,5", "_", "1:30"})
    EXPECT_EQ(whole(text), Reading::other) << text;
  EXPECT_EQ(read_number("-1", Kind::natural).reading, Reading::unfit);
  EXPECT_EQ(read_number("18446744073709551616", Kind::natural).reading, Reading::unfit);
}

TEST(Scalar, ReadsRealNumbers)
{
  EXPECT_EQ(real("0.1"), 0.1);
  EXPECT_EQ(real("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(real("+.5"), 0.5);
  EXPECT_EQ(real("2"), 2);
  EXPECT_EQ(read_number("1e999", Kind::real).reading, Reading::unfit);
  EXPECT_EQ(read_number("010.5", Kind::real).reading, Reading::leading_zero);
  EXPECT_EQ(read_number(".inf", Kind::real).reading, Reading::other);
}

TEST(Scalar, QuotesTextThatCouldBeSomethingElse)
{
  EXPECT_EQ(to_yaml(std::string("left")), "left");
  EXPECT_EQ(to_yaml(std::string("decks/a-b_c.yaml")), "decks/a-b_c.yaml");
  for (std::string const text :
       {"on", "Yes", "null", "true", "n", "1e5", "", "~", "a: b", "- a", "a b"})
    EXPECT_EQ(to_yaml(text), "\"" + text + "\"");
  EXPECT_EQ(to_yaml(true), "true");
  EXPECT_EQ(to_yaml(std::int64_t{-5}), "-5");
  EXPECT_EQ(to_yaml(0.1), "0.1");
}

} // namespace

} // namespace strata::deck
