#include "near.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace strata::contact {

#if defined(STRATA_LANES)

namespace {

using Slots = std::vector<index_t>;

/// Two of three slots are near.
struct TwoOfThree
{
  static bool near(index_t, index_t j) { return j % 3 != 0; }
  static LaneMasks near(index_t i, LaneIndex j)
  {
    LaneMasks masks{};
    for (index_t k = 0; k < register_lanes; ++k)
      masks[k] = near(i, j.first + k) ? -1 : 0;
    return masks;
  }
};

/// So many stretches of 0, 1, ..., 9 slots, again and again.
auto some_stretches(index_t count)
{
  return [count](auto const& take) {
    index_t first = 5;
    for (index_t s = 0; s < count; ++s) {
      take(first, first + s % 10);
      first += 40;
    }
  };
}

index_t groups_of(index_t count)
{
  index_t groups = 0;
  some_stretches(count)([&](index_t first, index_t last) {
    for_each_group(first, last, [&](index_t) { ++groups; });
  });
  return groups;
}

template <class Is>
Slots one_by_one(index_t count, Is const& is)
{
  Slots slots;
  some_stretches(count)([&](index_t first, index_t last) {
    for (auto j = first; j < last; ++j)
      if (TwoOfThree::near(0, j) && is(j))
        slots.push_back(j);
  });
  return slots;
}

bool any(index_t)
{
  return true;
}

bool even(index_t j)
{
  return j % 2 == 0;
}

} // namespace

TEST(Near, IsWhatIsNearOneByOne)
{
  for (index_t count = 0; count < 40; ++count) {
    Slots slots;
    for_each_near(TwoOfThree{}, 0, some_stretches(count),
                  [&](index_t j) { slots.push_back(j); });
    EXPECT_EQ(slots, one_by_one(count, any)) << count;
    EXPECT_EQ(count_near(TwoOfThree{}, 0, some_stretches(count)),
              static_cast<index_t>(slots.size()));
  }
}

// Whatever word and group it lies in.
TEST(Near, KeepsNoSlotOfItself)
{
  for (index_t count : {3, 12, 15, 25})
    for (auto const itself : one_by_one(count, any)) {
      KeptBits kept{};
      auto const others = one_by_one(count, [&](index_t j) { return j != itself; });
      EXPECT_EQ(keep_near(TwoOfThree{}, itself, some_stretches(count), All{}, kept),
                static_cast<index_t>(others.size()));
      Slots slots;
      for_each_kept(
          kept, some_stretches(count), [](index_t) { return true; },
          [&](index_t j) { slots.push_back(j); });
      EXPECT_EQ(slots, groups_of(count) <= KeptBits::groups ? others : Slots{}) << itself;
    }
}

TEST(Near, IsKeptAsFarAsThereIsRoom)
{
  bool all = true;
  for (index_t count = 0; count < 40; ++count) {
    auto const stretches = some_stretches(count);
    KeptBits every{};
    KeptBits some{};
    EXPECT_EQ(keep_near(TwoOfThree{}, 0, stretches, All{}, every),
              static_cast<index_t>(one_by_one(count, any).size()));
    EXPECT_EQ(keep_near(TwoOfThree{}, 0, stretches, even, some),
              static_cast<index_t>(one_by_one(count, even).size()));
    bool const room = groups_of(count) <= KeptBits::groups;
    all = all && room;
    Slots slots;
    auto const add = [&](index_t j) { slots.push_back(j); };
    index_t promised = -1;
    auto const begin = [&](index_t many) {
      promised = many;
      return true;
    };
    EXPECT_EQ(for_each_kept(every, stretches, begin, add), room) << count;
    EXPECT_EQ(promised, room ? static_cast<index_t>(slots.size()) : -1) << count;
    EXPECT_EQ(slots, room ? one_by_one(count, any) : Slots{}) << count;
    slots.clear();
    EXPECT_EQ(for_each_kept(some, stretches, begin, add), room) << count;
    EXPECT_EQ(slots, room ? one_by_one(count, even) : Slots{}) << count;
  }
  EXPECT_FALSE(all);
  auto const refuse = [](index_t) { return false; };
  auto const fail = [](index_t j) { ADD_FAILURE() << j; };
  EXPECT_TRUE(for_each_kept(KeptBits{}, some_stretches(3), refuse, fail));
  EXPECT_EQ(groups_of(15), KeptBits::groups); // to the last of them
}

#endif

} // namespace strata::contact
