#include "operands/stencil.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace strata::matvec {

namespace {

TEST(Stencil, HasSymmetricAscendingNeighbours)
{
  for (Stencil const& stencil : {Stencil{2, 5}, Stencil{3, 4}, Stencil{3, 1}, Stencil{2, 1}}) {
    auto const grid = stencil.grid();
    std::set<std::pair<index_t, index_t>> pairs;
    index_t most = 0;
    for (index_t p = 0; p < grid.count(); ++p) {
      index_t last = -1;
      index_t count = 0;
      stencil.neighbours(grid, grid.point(p), [&](Box::Point const& beside) {
        index_t const q = grid.number(beside);
        EXPECT_GT(q, last);
        EXPECT_LT(q, grid.count());
        last = q;
        ++count;
        pairs.emplace(p, q);
      });
      most = std::max(most, count);
      EXPECT_TRUE(pairs.contains({p, p}));
    }
    EXPECT_EQ(most, stencil.edge == 1 ? 1 : Stencil::most_neighbours(stencil.dims));
    for (auto const& [p, q] : pairs)
      EXPECT_TRUE(pairs.contains({q, p}));
  }
}

TEST(Box, NumbersItsPointsWithTheFirstDimensionFastest)
{
  Box const box{{3, -1, 2}, {4, 5, 2}};
  for (index_t n = 0; n < box.count(); ++n) {
    auto const point = box.point(n);
    EXPECT_TRUE(box.holds(point));
    EXPECT_EQ(box.number(point), n);
  }
  EXPECT_EQ(box.number({{4, -1, 2}}), 1);
  EXPECT_EQ(box.number({{3, 0, 2}}), 4);
  EXPECT_EQ(box.number({{3, -1, 3}}), 20);
  EXPECT_FALSE(box.holds({{7, 0, 2}}));
  EXPECT_FALSE(box.holds({{3, -2, 2}}));
  EXPECT_EQ(common(box, {{100, 0, 2}, {1, 1, 1}}).count(), 0);
}

TEST(GridOfRanks, IsAsEvenAsTheirNumberAllows)
{
  using Grid = std::array<int, 3>;
  EXPECT_EQ(grid_of_ranks(1, 3), (Grid{1, 1, 1}));
  EXPECT_EQ(grid_of_ranks(7, 3), (Grid{1, 1, 7}));
  EXPECT_EQ(grid_of_ranks(12, 3), (Grid{2, 2, 3}));
  EXPECT_EQ(grid_of_ranks(27, 3), (Grid{3, 3, 3}));
  EXPECT_EQ(grid_of_ranks(64, 3), (Grid{4, 4, 4}));
  EXPECT_EQ(grid_of_ranks(256, 3), (Grid{4, 8, 8}));
  EXPECT_EQ(grid_of_ranks(12, 2), (Grid{3, 4, 1}));
  EXPECT_EQ(grid_of_ranks(64, 2), (Grid{8, 8, 1}));
}

/// The columns that a part's rows have, by their numbers in the grid, without the part's own.
std::set<index_t> beside(GridPart const& part)
{
  auto const grid = part.stencil.grid();
  std::set<index_t> found;
  for (index_t row = 0; row < part.own.count(); ++row)
    part.stencil.neighbours(grid, part.own.point(row), [&](Box::Point const& column) {
      EXPECT_TRUE(part.reached.holds(column));
      if (!part.own.holds(column))
        found.insert(grid.number(column));
    });
  return found;
}

TEST(GridPart, HasEveryRowOnceAndGetsEveryOtherColumnFromANeighbour)
{
  for (Stencil const& stencil : {Stencil{2, 12}, Stencil{3, 8}})
    for (int const ranks : {1, 2, 3, 4, 7, 8}) {
      auto const grid = stencil.grid();
      std::vector<int> owners(static_cast<std::size_t>(grid.count()), -1);
      for (int rank = 0; rank < ranks; ++rank) {
        GridPart const part(stencil, {rank, ranks});
        for (index_t row = 0; row < part.own.count(); ++row) {
          auto& owner = owners[static_cast<std::size_t>(grid.number(part.own.point(row)))];
          EXPECT_EQ(owner, -1);
          owner = rank;
        }
      }
      for (int rank = 0; rank < ranks; ++rank) {
        GridPart const part(stencil, {rank, ranks});
        auto const needed = beside(part);
        EXPECT_EQ(part.read(), part.own.count() + static_cast<index_t>(needed.size()));
        std::set<int> from;
        for (auto const column : needed)
          from.insert(owners[static_cast<std::size_t>(column)]);
        auto const neighbours = part.neighbours({rank, ranks});
        EXPECT_EQ(from, std::set<int>(neighbours.begin(), neighbours.end()));
        EXPECT_LE(neighbours.size(), stencil.dims == 2 ? 4U : 26U);
      }
    }
}

template <bool Rows>
std::set<std::pair<index_t, index_t>> pairs(GridPart const& part)
{
  auto const grid = part.stencil.grid();
  StencilLines<Rows> const lines{part.stencil, part.own, part.reached, {}};
  std::set<std::pair<index_t, index_t>> found;
  for (index_t line = 0; line < (Rows ? part.own : part.reached).count(); ++line) {
    std::vector<int> places(static_cast<std::size_t>(lines.count(line)));
    std::vector<double> elements(places.size());
    lines.fill(line, places.data(), elements.data());
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    for (std::size_t n = 0; n < places.size(); ++n) {
      auto const row = grid.number(part.own.point(Rows ? line : places[n]));
      auto const column = grid.number(part.reached.point(Rows ? places[n] : line));
      EXPECT_EQ(elements[n], Values{}.matrix(row, column));
      found.emplace(row, column);
    }
  }
  return found;
}

TEST(StencilLines, AreTheSameMatrixByRowsAndByColumnsOnAnyNumberOfRanks)
{
  for (Stencil const& stencil : {Stencil{2, 9}, Stencil{3, 5}}) {
    auto const whole = pairs<true>(GridPart(stencil, {0, 1}));
    for (int const ranks : {1, 2, 4, 5}) {
      std::set<std::pair<index_t, index_t>> all;
      for (int rank = 0; rank < ranks; ++rank) {
        GridPart const part(stencil, {rank, ranks});
        auto const rows = pairs<true>(part);
        EXPECT_EQ(rows, pairs<false>(part));
        all.insert(rows.begin(), rows.end());
      }
      EXPECT_EQ(all, whole);
    }
  }
}

} // namespace

} // namespace strata::matvec
