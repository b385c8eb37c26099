#include "example.hpp"

#include "base/pattern.hpp"
#include "report/lines.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace strata::report {
namespace {

Record only(Case one)
{
  auto record = example::record();
  record.cases = {std::move(one)};
  return record;
}

/// Round numbers, so that the whole text can be read.
Case plain_case()
{
  auto one = example::stream_case("triad", "span", 0.25, 0);
  one.foms = {{.metric = "bandwidth",
               .unit = "B/s",
               .value = 4.012e12,
               .n = 20,
               .ci95 = measure::Interval{4.007e12, 4.019e12},
               .best = 4.02e12}};
  return one;
}

TEST(Lines, AreThoseOfTheContract)
{
  EXPECT_EQ(fact_lines(only(plain_case())),
            "FOM v=1 app=stream case=triad/span/left/double metric=bandwidth value=4.012e+12 "
            "unit=B/s better=higher stat=median n=20 ci95=4.007e+12:4.019e+12 best=4.02e+12 "
            "scope=job ranks=4\n"
            "CHECK v=1 app=stream case=triad/span/left/double check=max_relative_error "
            "value=2.2e-16 allowed=1e-13 status=PASS\n");
}

TEST(Lines, MatchTheHarnessExpressions)
{
  Pattern const fom("^FOM .* app=stream case=triad/span/\\S+ metric=bandwidth value=4e\\+12 "
                    ".*scope=job.*$");
  auto const lines = fact_lines(example::record());
  auto const start = lines.find("FOM v=1 app=stream case=triad/span");
  auto const line = lines.substr(start, lines.find('\n', start) - start);
  EXPECT_TRUE(fom.matches_in(line)) << line;

  auto const result = result_line("stream", {Exit::ok, {true, false, {}}, "r.json"});
  EXPECT_TRUE(Pattern("^RESULT .* status=PASS ").matches_in(result)) << result;
}

TEST(Lines, SayWhenThereIsNoInterval)
{
  auto one = plain_case();
  one.foms[0].ci95.reset();
  EXPECT_NE(fact_lines(only(one)).find(" ci95=none "), std::string::npos);
}

TEST(Lines, OfACaseThatFailedHoldNoFigure)
{
  auto one = plain_case();
  one.status = Status::failed;
  one.checks = {{false, std::numeric_limits<double>::quiet_NaN(), 1e-13, "max_relative_error"}};
  EXPECT_EQ(fact_lines(only(one)),
            "CHECK v=1 app=stream case=triad/span/left/double check=max_relative_error "
            "value=nan allowed=1e-13 status=FAIL\n");
}

TEST(Lines, OfACaseThatIsNotFinishedHoldNoFigure)
{
  auto one = plain_case();
  one.checks.clear();
  for (auto const status : {Status::unavailable, Status::incomplete}) {
    one.status = status;
    EXPECT_EQ(fact_lines(only(one)), "");
  }
}

TEST(Lines, HoldNoFigureThatIsNotANumber)
{
  auto one = plain_case();
  one.checks.clear();
  one.foms[0].value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fact_lines(only(one)), "");
}

TEST(Lines, HoldNoSpaceInsideAValue)
{
  auto one = plain_case();
  one.foms.clear();
  one.label = "triad/two words/50%";
  EXPECT_EQ(
      fact_lines(only(one)).find("CHECK v=1 app=stream case=triad/two%20words/50%25 check="),
      0U);
}

TEST(ResultLine, IsThatOfTheContract)
{
  EXPECT_EQ(result_line("stream", {Exit::ok,
                                   {true, false, {"tier", "dirty_tree"}},
                                   "results/alps/stream/20260131T123456Z-4711-1a2b.json"}),
            "RESULT v=1 app=stream status=PASS valid=yes official=no reasons=tier,dirty_tree "
            "exit=0 file=results/alps/stream/20260131T123456Z-4711-1a2b.json\n");
}

TEST(ResultLine, HasAWordForNothing)
{
  EXPECT_EQ(result_line("mgs", {Exit::ok, {true, true, {}}, ""}),
            "RESULT v=1 app=mgs status=PASS valid=yes official=yes reasons=none exit=0 "
            "file=none\n");
}

TEST(ResultLine, NeverSaysPassForAnotherExit)
{
  auto const status = [](Exit exit) {
    auto const line = result_line("mgs", {exit, {false, false, {"checks"}}, ""});
    return line.substr(0, line.find(" valid"));
  };
  EXPECT_EQ(status(Exit::internal), "RESULT v=1 app=mgs status=ERROR");
  EXPECT_EQ(status(Exit::command_line), "RESULT v=1 app=mgs status=ERROR");
  EXPECT_EQ(status(Exit::deck), "RESULT v=1 app=mgs status=ERROR");
  EXPECT_EQ(status(Exit::placement), "RESULT v=1 app=mgs status=ERROR");
  EXPECT_EQ(status(Exit::memory), "RESULT v=1 app=mgs status=ERROR");
  EXPECT_EQ(status(Exit::verification), "RESULT v=1 app=mgs status=FAIL");
  EXPECT_EQ(status(Exit::run_rule), "RESULT v=1 app=mgs status=FAIL");
  EXPECT_EQ(status(Exit::results), "RESULT v=1 app=mgs status=ERROR");
  EXPECT_EQ(status(Exit::interrupted), "RESULT v=1 app=mgs status=INCOMPLETE");
  EXPECT_EQ(status(Exit::skipped), "RESULT v=1 app=mgs status=SKIP");
}

} // namespace
} // namespace strata::report
