#include "tiles/warp_products.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace strata {

namespace {

// What members of a warp sum one after the other; on a GPU its units do, which the apps' tests
// there see.

constexpr int rows = 12;
constexpr int pitch = 30;

double value(int row, int column)
{
  return static_cast<double>((row * 37 + column * 11) % 23) - 11;
}

std::size_t place(int row, int column, int width)
{
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(column);
}

template <int Units>
void expect_products(int lefts, int rights)
{
  std::vector<double> tile(rows * pitch);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < 8 * Units; ++column)
      tile[place(row, column, pitch)] = value(row, column);
  std::vector<int> found(64 * Units * Units);
  for (int member = 0; member < WarpProducts<Units>::members; ++member) {
    WarpProducts<Units> products;
    products.add(member, tile.data(), rows, pitch, lefts, rights);
    products.add(member, tile.data(), 4, pitch, lefts, rights);
    products.for_each(member, lefts, rights, [&](int left, int right, double sum) {
      double expected = 0;
      for (int row = 0; row < rows; ++row)
        expected += (row < 4 ? 2 : 1) * value(row, left) * value(row, right);
      EXPECT_EQ(sum, expected) << left << ' ' << right;
      ++found[place(left, right, 8 * Units)];
    });
  }
  for (int left = 0; left < 8 * Units; ++left)
    for (int right = 0; right < 8 * Units; ++right) {
      bool const asked = left / 8 < lefts && right / 8 < rights && left / 8 <= right / 8;
      EXPECT_EQ(found[place(left, right, 8 * Units)], asked ? 1 : 0);
    }
}

TEST(WarpProducts, AreEachOfOneMember)
{
  expect_products<1>(1, 1);
  expect_products<2>(2, 2);
  expect_products<3>(1, 3);
  expect_products<3>(3, 3);
  expect_products<3>(2, 2);
}

} // namespace

} // namespace strata
