#include "grid/cell_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace strata::contact {

namespace {

using Stretches = std::vector<std::pair<std::int32_t, std::int32_t>>; ///< none of them empty

void add(Stretches& to, std::int32_t first, std::int32_t last)
{
  if (first < last)
    to.emplace_back(first, last);
}

/// The same stretches, in the same order, one after another and by their numbers.
void expect_alike(Cells cells)
{
  std::vector<std::int32_t> start;
  for (index_t place = 0; place <= cells.all(); ++place)
    start.push_back(static_cast<std::int32_t>(3 * place - place % 2));
  cells.start = start.data();
  for (double const x : {0.5, 3.0, 6.5, 9.5})
    for (double const y : {0.5, 5.0, 9.5})
      for (double const z : {0.5, 5.0, 9.5}) {
        Stretches in_turn, by_number;
        std::int32_t first = 0;
        std::int32_t last = 0;
        NearStretches const stretches(cells, x, y, z);
        ASSERT_LE(stretches.count(), NearStretches::most);
        for (int n = 0; n < stretches.count(); ++n) {
          stretches.get(n, first, last);
          add(by_number, first, last);
        }
        for (auto left = stretches; left.next(first, last);)
          add(in_turn, first, last);
        EXPECT_EQ(by_number, in_turn) << x << ' ' << y << ' ' << z;
      }
}

TEST(NearStretches, AreTheSameByTheirNumbers)
{
  Box const box{{0, 0, 0}, {10, 10, 10}};
  expect_alike(bounded_cells(box, 1.5, 1000));
  expect_alike(bounded_cells(box, 20, 1000));
  expect_alike(wrapped_cells(box, 1.3, 20)); // 4 places along each axis for 8 cells
  expect_alike(one_neighbourhood(bounded_cells(box, 1.5, 1000)));
}

} // namespace

} // namespace strata::contact
