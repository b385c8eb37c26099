#include "base/error.hpp"
#include "report/grid.hpp"

#include <gtest/gtest.h>

namespace strata::report {
namespace {

TEST(Grid, AlignsItsColumns)
{
  Grid grid;
  grid.column("name", Grid::Align::left);
  grid.column("rate", Grid::Align::right);
  grid.column("x", Grid::Align::right);
  grid.row({{"a"}, {"1.25"}, {"1000"}});
  grid.row({{"longer"}, {"10.5"}, {"7"}});
  EXPECT_EQ(grid.text(false), "name    rate     x\n"
                              "------------------\n"
                              "a       1.25  1000\n"
                              "longer  10.5     7\n");
}

TEST(Grid, CountsCharactersNotBytes)
{
  Grid grid;
  grid.column("unit", Grid::Align::left);
  grid.column("n", Grid::Align::left);
  grid.row({{"µs"}, {"1"}});
  grid.row({{"m"}, {"2"}});
  EXPECT_EQ(grid.text(false), "unit  n\n-------\nµs    1\nm     2\n");
}

TEST(Grid, LeavesOutAColumnWithoutContentAndTrailingSpaces)
{
  Grid grid;
  for (auto const* heading : {"a", "empty", "b", "last"})
    grid.column(heading, Grid::Align::left);
  grid.row({{"1"}, {""}, {"2"}, {"note"}});
  grid.row({{"3"}, {""}, {"4"}, {""}});
  EXPECT_EQ(grid.text(false), "a  b  last\n----------\n1  2  note\n3  4\n");
}

TEST(Grid, PutsFreeTextInPlaceOfTheLastColumns)
{
  Grid grid;
  grid.column("name", Grid::Align::left);
  grid.column("rate", Grid::Align::right);
  grid.row({{"a"}}, {"a reason that is longer than any cell"});
  grid.row({{"b"}, {"1"}});
  EXPECT_EQ(grid.text(false), "name  rate\n----------\n"
                              "a     a reason that is longer than any cell\n"
                              "b        1\n");
}

TEST(Grid, PaintsCellsNotSpaces)
{
  Grid grid;
  grid.column("n", Grid::Align::right);
  grid.column("m", Grid::Align::right);
  grid.row({{"1"}, {"22", Look::bad}});
  auto const text = grid.text(true);
  EXPECT_TRUE(text.ends_with("\n1  \033[1;31m22\033[0m\n")) << text;
}

TEST(Grid, RefusesARowOfAnotherLength)
{
  Grid grid;
  grid.column("n", Grid::Align::right);
  EXPECT_THROW(grid.row({{"1"}, {"2"}}), Error);
}

} // namespace
} // namespace strata::report
