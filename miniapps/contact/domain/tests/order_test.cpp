#include "domain/order.hpp"
#include "scene/mix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace strata::contact {

namespace {

constexpr index_t ordered_elements = 700;
constexpr index_t ordered_points = 300;

/// Elements and points in no order, within `extent` of 0; each with a corner that says its gid.
Objects scattered(double extent)
{
  Objects made;
  for (index_t i = 0; i < ordered_elements + ordered_points; ++i) {
    Object object;
    object.gid = i * 389 % (ordered_elements + ordered_points);
    for (unsigned k = 0; k < 3; ++k)
      object.at[k] =
          (static_cast<double>(hashed(7, object.gid, k) >> 11) * 0x1p-52 - 1) * extent;
    Corners corners;
    corners.point[0] = object.gid;
    made.all.push_back(object);
    made.corners.push_back(corners);
  }
  return made;
}

void expect_order(double extent, double edge)
{
  auto const objects = scattered(extent);
  auto expected = objects.all;
  std::sort(expected.begin(), expected.end(), [&](Object const& a, Object const& b) {
    auto const key = [&](Object const& o) {
      auto const cell = [&](std::size_t k) {
        return edge > 0 ? std::floor(o.at[k] / edge) : 0.0;
      };
      return std::tuple(o.gid >= ordered_elements, cell(2), cell(1), cell(0), o.gid);
    };
    return key(a) < key(b);
  });
  auto const [found, from] = in_order(objects, ordered_elements, edge);
  ASSERT_EQ(found.all.size(), expected.size());
  ASSERT_EQ(found.corners.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found.all[i].gid, expected[i].gid) << i;
    ASSERT_EQ(found.corners[i].point[0], expected[i].gid) << i;
    ASSERT_EQ(objects.all[from[i]].gid, expected[i].gid) << i;
  }
}

} // namespace

TEST(Order, IsByCellAndThenByGid)
{
  expect_order(100, 32);
  expect_order(100, 1);
}

TEST(Order, IsByGidWhereThereAreNoCells)
{
  expect_order(100, 0);
}

TEST(Order, TellsMoreCellsApartThanAWordCounts)
{
  expect_order(0x1p40, 0x1p-10);
}

TEST(Order, IsThatOfTheStep)
{
  Objects objects;
  for (index_t gid = 0; gid < 3; ++gid) {
    Object object;
    object.gid = gid;
    object.at = {4.0 * static_cast<double>(gid), 0, 0};
    object.velocity = {2.0 - 3.0 * static_cast<double>(gid), 0, 0};
    objects.all.push_back(object); // at 4, 2 and 0 after two steps, but for walls at 1 and 9
  }
  auto const order = [&](Bounds const& bounds, std::int64_t step) {
    std::vector<index_t> gids;
    for (auto const& object : in_order(objects, 3, 1, bounds, step).objects.all)
      gids.push_back(object.gid);
    return gids;
  };
  EXPECT_EQ(order({}, 0), (std::vector<index_t>{0, 1, 2}));
  EXPECT_EQ(order({}, 2), (std::vector<index_t>{2, 1, 0}));
  EXPECT_EQ(order({Bounds::Kind::walls, {-1, 0, 0}, {3, 0, 0}}, 2),
            (std::vector<index_t>{2, 0, 1}));
}

TEST(Order, OfNothingIsNothing)
{
  EXPECT_TRUE(in_order({}, 0, 1).objects.all.empty());
}

} // namespace strata::contact
