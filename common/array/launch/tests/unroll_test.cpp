#include "array/launch/unroll.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace strata {

namespace {

template <int N>
constexpr int sum_to()
{
  int sum = 0;
  unrolled<N>([&](auto n) {
    static_assert(n >= 0 && n < N);
    sum += n;
  });
  return sum;
}
static_assert(sum_to<5>() == 10);

TEST(Unrolled, VisitsNumbersInOrder)
{
  std::vector<int> visited;
  unrolled<4>([&](auto n) { visited.push_back(n); });
  EXPECT_EQ(visited, (std::vector<int>{0, 1, 2, 3}));
  unrolled<0>([&](auto) { visited.clear(); });
  EXPECT_EQ(visited.size(), 4U);
}

} // namespace

} // namespace strata
