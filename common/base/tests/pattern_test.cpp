#include "base/pattern.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace strata {

namespace {

TEST(Pattern, MatchesAnywhere)
{
  Pattern const pattern("triad/.*/left");
  EXPECT_TRUE(pattern.matches_in("stream/triad/span/left/double"));
  EXPECT_FALSE(pattern.matches_in("stream/triad/span/right/double"));
}

TEST(Pattern, HasTwoGrammars)
{
  EXPECT_FALSE(Pattern("^(?!set)").matches_in("set"));
  EXPECT_THROW(Pattern("^(?!set)", Pattern::Grammar::posix_extended), std::invalid_argument);
}

TEST(Pattern, IsNotTriedInAllWays)
{
  // There are 2^39 of them.
  EXPECT_FALSE(Pattern("([a-z/]+)+!").matches_in("stream/triad/span/right/double/restrict"));
}

TEST(Pattern, IsNestedAsDeepAsTheStackHasRoom)
{
  auto const nested = [](std::size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  EXPECT_TRUE(Pattern(nested(100)).matches_in("a"));
  EXPECT_THROW(Pattern(nested(100'000)), std::invalid_argument);
}

TEST(Pattern, RepeatsNoMoreOftenThanAnIntCounts)
{
  EXPECT_TRUE(Pattern("(ab){1,2}c").matches_in("ababc"));
  EXPECT_TRUE(Pattern("n12345").matches_in("stream/n12345"));
  for (auto const* expression : {"a{2222222222222222222,", "a{1,22222}"})
    EXPECT_THROW(Pattern{expression}, std::invalid_argument) << expression;
}

TEST(Pattern, RefersToNoGroup)
{
  EXPECT_TRUE(Pattern(R"(a\\8+)").matches_in(R"(a\88)"));
  EXPECT_TRUE(Pattern(R"(x\.5)").matches_in("x.5"));
  for (auto const* expression : {R"((a)\1)", R"(\88888888888888888888888888888)", R"([\7])",
                                 R"(\c\\6666666666666666666666)"})
    for (auto const grammar : {Pattern::Grammar::ecmascript, Pattern::Grammar::posix_extended})
      EXPECT_THROW((Pattern{expression, grammar}), std::invalid_argument) << expression;
}

TEST(Pattern, SaysWhatIsWrong)
{
  try {
    Pattern const pattern("a(b");
    FAIL();
  } catch (std::invalid_argument const& error) {
    EXPECT_EQ(std::string(error.what()).find("'a(b' is not a regular expression ("), 0U);
  }
}

} // namespace

} // namespace strata
