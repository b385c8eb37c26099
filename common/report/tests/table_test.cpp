#include "example.hpp"

#include "report/table.hpp"

#include <gtest/gtest.h>

namespace strata::report {
namespace {

TEST(Table, ShowsWhatBecameOfEveryCase)
{
  EXPECT_EQ(table(example::eventful_record(), false),
            R"(In all cases: layout left, scalar double
kernel  variant  best TB/s  median TB/s  spread  of ceiling  time/control          verdict  notes
-------------------------------------------------------------------------------------------------
copy    span         3.855        3.840  0.40 %      96.0 %                        pass
triad   span         4.008        4.000  0.20 %     100.0 %  1.012 [1.009, 1.015]  pass
triad   native       4.266        4.138  3.00 %     103.4 %                        pass     cache, not converged
dot     span     FAILED: max_relative_error is 0.0012, at most 1e-13 is allowed
triad   vendor   unavailable: cuBLAS was not found when this was built
triad   view     incomplete: interrupted by SIGTERM
spread: half the median's 95 % interval
time/control: time over the control's, median of the rounds and 95 % interval
)");
}

TEST(Table, OfOneCaseIsAboutItsFirstAxis)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].samples_s = {3e-3, 3.01e-3, 2.99e-3};
  record.cases[0].foms = {
      rate("bandwidth", "B/s", Scope::job, 12e9, *record.cases[0].statistics())};
  EXPECT_EQ(table(record, false),
            R"(In all cases: variant span, layout left, scalar double
kernel  best TB/s  median TB/s     spread  of ceiling  verdict  notes
---------------------------------------------------------------------
copy        4.013        4.000  cv 0.33 %     100.0 %  pass     not converged
cv: coefficient of variation; an interval takes 6 samples
)");
}

TEST(Table, GivesEachRateItsUnitWhereCasesCountDifferentThings)
{
  auto record = example::record();
  record.ceiling.reset();
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
  record.ceiling.reset();
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
