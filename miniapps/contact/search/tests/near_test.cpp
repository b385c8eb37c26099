#include "search/near.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace strata::contact {

namespace {

using Slots = std::vector<index_t>;

/// Two of three slots are near.
struct TwoOfThree
{
  static bool near(index_t, index_t j) { return j % 3 != 0; }
};

#if defined(STRATA_LANES)

/// The same, asked of several at once.
struct TwoOfThreeInLanes : TwoOfThree
{
  using TwoOfThree::near;
  static LaneMasks near(index_t i, LaneIndex j)
  {
    LaneMasks masks{};
    for (index_t k = 0; k < register_lanes; ++k)
      masks[k] = near(i, j.first + k) ? -1 : 0;
    return masks;
  }
};

using Touches = ::testing::Types<TwoOfThree, TwoOfThreeInLanes>;

#else

using Touches = ::testing::Types<TwoOfThree>;

#endif

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

auto one_stretch(index_t length)
{
  return [length](auto const& take) { take(7, 7 + length); };
}

template <class Stretches, class Is>
Slots one_by_one(Stretches const& stretches, Is const& is)
{
  Slots slots;
  stretches([&](index_t first, index_t last) {
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

template <class Stretches>
bool has_room(Stretches const& stretches)
{
  index_t bits = 0;
  stretches([&](index_t first, index_t last) { bits += last - first; });
  return bits <= KeptBits::room;
}

/// Expects that keep_near(i) keeps `others`, or says that there was no room.
template <class Stretches, class Is>
void expect_kept(index_t i, Stretches const& stretches, Is const& is, Slots const& others)
{
  auto const count = static_cast<index_t>(others.size());
  KeptBits kept;
  EXPECT_EQ(keep_near(TwoOfThree{}, i, stretches, is, kept), count);
  index_t promised = -1;
  auto const begin = [&](index_t many) {
    promised = many;
    return true;
  };
  Slots slots;
  auto const add = [&](index_t j) { slots.push_back(j); };
  bool const room = has_room(stretches);
  EXPECT_EQ(for_each_kept(kept, stretches, begin, add), room);
  EXPECT_EQ(promised, room ? count : -1);
  EXPECT_EQ(slots, room ? others : Slots{});
}

} // namespace

template <class Touch>
class Near : public ::testing::Test
{
};

TYPED_TEST_SUITE(Near, Touches);

TYPED_TEST(Near, IsWhatIsNearOneByOne)
{
  for (index_t count = 0; count < 40; ++count) {
    Slots slots;
    for_each_near(TypeParam{}, 0, some_stretches(count),
                  [&](index_t j) { slots.push_back(j); });
    EXPECT_EQ(slots, one_by_one(some_stretches(count), any)) << count;
  }
}

// Whatever word it lies in.
TEST(KeptNear, LeavesOutTheSlotItself)
{
  for (index_t count : {3, 12, 15, 25})
    for (auto const itself : one_by_one(some_stretches(count), any))
      expect_kept(itself, some_stretches(count), All{},
                  one_by_one(some_stretches(count), [&](index_t j) { return j != itself; }));
}

TEST(KeptNear, IsAllThatThereIsRoomFor)
{
  auto const expect = [](auto const& stretches) {
    expect_kept(0, stretches, All{}, one_by_one(stretches, any));
    expect_kept(0, stretches, even, one_by_one(stretches, even));
  };
  for (index_t count = 0; count < 40; ++count)
    expect(some_stretches(count));
  for (index_t length = 0; length < 300; ++length)
    expect(one_stretch(length));
  EXPECT_TRUE(has_room(one_stretch(KeptBits::room)));
  EXPECT_FALSE(has_room(one_stretch(KeptBits::room + 1)));
}

// For a row that has no room for what it is told.
TEST(KeptNear, IsNotHandedOverWhereNobodyBegins)
{
  KeptBits kept;
  keep_near(TwoOfThree{}, 0, some_stretches(9), All{}, kept);
  EXPECT_TRUE(for_each_kept(
      kept, some_stretches(9), [](index_t) { return false; },
      [](index_t j) { ADD_FAILURE() << j; }));
}

} // namespace strata::contact
