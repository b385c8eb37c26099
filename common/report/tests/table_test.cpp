#include "example.hpp"

#include "report/table.hpp"

#include <gtest/gtest.h>

namespace strata::report {
namespace {

TEST(Table, ShowsWhatBecameOfEveryCase)
{
  EXPECT_EQ(table(example::eventful_record(), false),
            R"(In all cases: layout left, scalar double
kernel  variant  best TB/s  median TB/s  spread        of ceiling  time/control          verdict  notes
-------------------------------------------------------------------------------------------------------
copy    span         3.855        3.840  0.40 %   101.1 % of copy  no control            pass     above the ceiling
triad   span         4.008        4.000  0.20 %  100.0 % of triad  1.012 [1.009, 1.015]  pass
triad   native       4.266        4.138  3.00 %  103.4 % of triad                        pass     cache, not converged
dot     span     FAILED: max_relative_error is 0.0012, at most 1e-13 is allowed
triad   vendor   unavailable: cuBLAS was not found when this was built
triad   view     incomplete: interrupted by SIGTERM
spread: half the median's 95 % interval
time/control: time over the control's, median of the rounds and 95 % interval
above the ceiling: no cache holds its data; the ceiling's kernel is slower than this one
)");
}

TEST(Table, OfOneCaseIsAboutItsFirstAxis)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].samples_s = {3.2e-3, 3.21e-3, 3.19e-3};
  record.cases[0].converged = false;
  record.cases[0].foms = {
      rate("bandwidth", "B/s", Scope::job, 12e9, *record.cases[0].statistics())};
  EXPECT_EQ(table(record, false),
            R"(In all cases: variant span, layout left, scalar double
kernel  best TB/s  median TB/s     spread      of ceiling  verdict  notes
-------------------------------------------------------------------------
copy        3.762        3.750  cv 0.31 %  98.7 % of copy  pass     not converged
cv: coefficient of variation; an interval takes 6 samples
)");
}

TEST(Table, GivesEachRateItsUnitWhereCasesCountDifferentThings)
{
  auto record = example::record();
  record.ceilings.clear();
  record.cases[1].foms = {
      {.metric = "elements", .unit = "elements/s", .value = 2.5e8, .n = 20, .best = 2.6e8}};
  record.cases[1].checks.clear();
  EXPECT_EQ(table(record, false),
            R"(In all cases: variant span, layout left, scalar double
kernel             best           median  spread  verdict
---------------------------------------------------------
copy          3.86 TB/s        3.84 TB/s  0.40 %  pass
triad   260 Melements/s  250 Melements/s  0.20 %  unchecked
spread: half the median's 95 % interval
)");
}

TEST(Table, KeepsSmallRatesReadableBesideLargeOnes)
{
  auto record = example::record();
  record.ceilings.clear();
  record.cases[1].foms[0].value = 1.234e6;
  record.cases[1].foms[0].best = 12.34e9;
  auto const text = table(record, false);
  EXPECT_NE(text.find("triad      0.0123     1.23e-06  0.20 %  pass\n"), std::string::npos)
      << text;

  record.cases[0].foms[0].value = 692.9e12;
  record.cases[1].foms[0].value = 7.7412e12;
  record.cases[1].foms[0].best = 0.36634e12;
  auto const three_digits = table(record, false);
  EXPECT_NE(three_digits.find(" 692.9 "), std::string::npos) << three_digits;
  EXPECT_NE(three_digits.find("triad       0.366         7.74"), std::string::npos)
      << three_digits;
}

TEST(Table, MarksAxesThatACaseDoesNotHave)
{
  auto record = example::record();
  record.cases[1].axes = {{"kernel", "triad"}, {"variant", "ragged"}, {"scalar", "double"}};
  auto const text = table(record, false);
  EXPECT_NE(text.find("kernel  variant  layout  best TB/s"), std::string::npos) << text;
  EXPECT_NE(text.find("triad   ragged   -           4.008"), std::string::npos) << text;
}

TEST(Table, ShowsAWarningOfACaseAmongItsNotes)
{
  auto record = example::record();
  record.cases[1].outcome = {{"tests_per_element", "2048"},
                             {"warning", "2048 tests an element"}};
  auto const text = table(record, false);
  EXPECT_NE(text.find("pass     2048 tests an element\n"), std::string::npos) << text;
}

TEST(Table, NamesARankThatIsMostlyTheSlowest)
{
  auto record = example::record();
  for (auto& one : record.cases) {
    one.slowest_rank.assign(20, 2);
    for (std::size_t i = 0; i < 20; ++i)
      one.rank_mean_s[i] = one.samples_s[i] / 1.04;
  }
  record.cases[0].slowest_rank[7] = 0;
  EXPECT_TRUE(
      table(record, false)
          .ends_with("rank 2 on n1 is the slowest of 4 in 39 of 40 samples, there 4.00 % "
                     "over the ranks' mean\n"))
      << table(record, false);
  record.mpi.ranks = 2; // one of two is the slower in most samples by chance
  EXPECT_EQ(table(record, false).find("slowest"), std::string::npos);
  record.mpi.ranks = 4;
  for (auto& one : record.cases)
    for (int i = 0; i < 20; ++i)
      one.slowest_rank[static_cast<std::size_t>(i)] = i % 4;
  EXPECT_EQ(table(record, false).find("slowest"), std::string::npos);
}

TEST(Table, ColoursOnlyWhereAsked)
{
  EXPECT_EQ(table(example::eventful_record(), false).find('\033'), std::string::npos);
  EXPECT_NE(table(example::eventful_record(), true).find("\033[32mpass\033[0m"),
            std::string::npos);
}

TEST(Table, OfNoCasesIsEmpty)
{
  auto record = example::record();
  record.cases.clear();
  EXPECT_EQ(table(record, false), "");
}

} // namespace
} // namespace strata::report
