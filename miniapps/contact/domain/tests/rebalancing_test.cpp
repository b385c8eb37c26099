#include "domain/load.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace strata::contact {

namespace {

/// Whether it is due at each of these.
std::vector<bool> due_at(double limit, std::vector<double> const& imbalances)
{
  Rebalancing rebalancing(limit);
  std::vector<bool> due;
  for (double const imbalance : imbalances)
    due.push_back(rebalancing.is_due(imbalance));
  EXPECT_EQ(rebalancing.times(), std::count(due.begin(), due.end(), true));
  return due;
}

} // namespace

TEST(Rebalancing, IsDueBeyondTheLimit)
{
  EXPECT_EQ(due_at(1.2, {1, 1.2, 1.21}), (std::vector{false, false, true}));
  EXPECT_EQ(due_at(1.2, {1.3, 1.1, 1.19, 1.25}), (std::vector{true, false, false, true}));
  EXPECT_EQ(due_at(HUGE_VAL, {1, 1e9}), (std::vector{false, false}));
}

TEST(Rebalancing, IsNotDueAgainBeforeWhatItLeftHasGrown)
{
  EXPECT_EQ(due_at(1.2, {2, 2, 2, 2}), (std::vector{true, false, false, false}));
  EXPECT_EQ(due_at(1.2, {2, 1.5, 1.6, 1.66, 1.7}),
            (std::vector{true, false, false, true, false}));
  EXPECT_EQ(due_at(1.2, {2, 1.9, 1.3, 1.44}), (std::vector{true, false, false, true}));
}

} // namespace strata::contact
