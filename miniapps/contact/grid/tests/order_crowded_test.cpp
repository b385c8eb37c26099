#include "grid/order_crowded.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace strata::contact {

namespace {

struct ByKey
{
  std::int32_t const* key;
  bool operator()(std::int32_t a, std::int32_t b) const { return key[a] < key[b]; }
};

TEST(OrderCrowdedCells, SortsTheCellsThatAListNames)
{
  std::vector<std::int32_t> const objects{0, 40, 1, 33, 64, 100, 257, 2, 35};
  std::vector<std::int32_t> start{0};
  for (auto const count : objects)
    start.push_back(start.back() + count);
  auto const all = static_cast<std::size_t>(start.back());
  std::vector<std::int32_t> key(all), order(all);
  for (std::size_t i = 0; i < all; ++i)
    key[i] = order[i] = static_cast<std::int32_t>(i);
  std::mt19937 random(3);
  std::shuffle(key.begin(), key.end(), random);
  std::vector<std::int32_t> const crowded{6, 1, 5, 8, 3, 4};
  auto const count = static_cast<std::int32_t>(crowded.size());

  auto expected = order;
  for (auto const cell : crowded)
    std::sort(expected.begin() + start[static_cast<std::size_t>(cell)],
              expected.begin() + start[static_cast<std::size_t>(cell) + 1], ByKey{key.data()});
  testing::run_on_threads<4>(
      2, OrderCrowdedCells<ByKey>{
             {key.data()}, start.data(), order.data(), crowded.data(), &count, 2});
  EXPECT_EQ(order, expected);
}

} // namespace

} // namespace strata::contact
