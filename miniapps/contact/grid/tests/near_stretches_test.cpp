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

/// How often each slot is in the stretches.
std::vector<int> covered(NearStretches near, std::int32_t slots)
{
  std::vector<int> times(static_cast<std::size_t>(slots));
  std::int32_t first = 0;
  std::int32_t last = 0;
  while (near.next(first, last))
    for (; first < last; ++first)
      ++times[static_cast<std::size_t>(first)];
  return times;
}

/// The stretches of two positions and all between them have each slot that is near one of them,
/// once; both lie in places of one line, the first one's before.
void expect_covered(Cells cells)
{
  std::vector<std::int32_t> start;
  for (index_t place = 0; place <= cells.all(); ++place)
    start.push_back(static_cast<std::int32_t>(2 * place));
  cells.start = start.data();
  std::vector<double> const some{0.1, 1.4, 3.0, 4.2, 5.5, 6.9, 8.3, 9.9};
  for (double const x : some)
    for (double const last_x : some)
      for (double const y : some)
        for (double const z : some) {
          if (cells.place_along(0, last_x) < cells.place_along(0, x))
            continue;
          auto const all =
              covered(NearStretches::of_line(cells, x, last_x, y, z), start.back());
          auto const of_first = covered(NearStretches(cells, x, y, z), start.back());
          auto const of_last = covered(NearStretches(cells, last_x, y, z), start.back());
          for (std::size_t slot = 0; slot < all.size(); ++slot) {
            ASSERT_LE(all[slot], 1) << x << ' ' << last_x << ' ' << y << ' ' << z;
            ASSERT_GE(all[slot], of_first[slot]) << x << ' ' << last_x << ' ' << y << ' ' << z;
            ASSERT_GE(all[slot], of_last[slot]) << x << ' ' << last_x << ' ' << y << ' ' << z;
          }
        }
}

TEST(NearStretches, OfALineHaveEachSlotOnce)
{
  Box const box{{0, 0, 0}, {10, 10, 10}};
  expect_covered(bounded_cells(box, 1.5, 1000));
  expect_covered(bounded_cells(box, 20, 1000));
  expect_covered(wrapped_cells(box, 1.3, 20)); // 4 places along each axis for 8 cells
  expect_covered(wrapped_cells(box, 1.3, 1000));
  expect_covered(one_neighbourhood(bounded_cells(box, 1.5, 1000)));
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
