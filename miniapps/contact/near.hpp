#pragma once

#include "lanes.hpp"

#include "base/bit_word.hpp"

#include <cstdint>

// All slots near one, of those in stretches: `stretches(g)` calls g(first, last) for each.

namespace strata::contact {

/// Calls f(j) for the slots near slot i, itself among them where it is in the stretches.
template <class Touch, class Stretches, class F>
KOKKOS_FUNCTION void for_each_near(Touch const& touch, index_t i, Stretches const& stretches,
                                   F const& f)
{
  stretches([&](index_t first, index_t last) {
    for (index_t j = first; j < last; ++j)
      if (touch.near(i, j))
        f(j);
  });
}

/// How many those are.
template <class Touch, class Stretches>
KOKKOS_FUNCTION index_t count_near(Touch const& touch, index_t i, Stretches const& stretches)
{
  index_t count = 0;
  for_each_near(touch, i, stretches, [&](index_t) { ++count; });
  return count;
}

#if defined(STRATA_LANES)

/// Tests the candidates of slot i in groups of eight neighbours, a bit each, and hands over a
/// word of eight groups at a time. No branch depends on a single test, since few candidates are
/// near and no branch predictor knows which: those took half of the time.
template <class Touch>
class NearBits
{
public:
  NearBits(Touch const& touch, index_t i)
      : touch_(touch)
      , i_(i)
  {
  }
  /// Takes a stretch; calls f(word) as often as one is full.
  template <class F>
  void add(index_t first, index_t last, F const& f)
  {
    do {
      if (groups_ == 8)
        hand_over(f);
      first_[groups_] = first;
      for (index_t r = 0; r < registers; ++r) {
        index_t const at = first + r * register_lanes;
        auto const there = numbers_ < last - at;
        bits_[r] |= (touch_.near(i_, LaneIndex{at}) & there & lane_bits_)
                    << (lanes * groups_ + r * register_lanes);
      }
      ++groups_;
      first += lanes;
    } while (first < last);
  }
  template <class F>
  void hand_over(F const& f)
  {
    std::uint64_t word = 0;
    for (auto& bits : bits_) {
      for (index_t k = 0; k < register_lanes; ++k)
        word |= static_cast<std::uint64_t>(bits[k]);
      bits = LaneMasks{};
    }
    f(word);
    groups_ = 0;
  }
  /// Of a bit of the word handed over.
  [[nodiscard]] index_t slot(int bit) const { return first_[bit / lanes] + bit % lanes; }

private:
  static constexpr index_t registers = lanes / register_lanes;

  Touch touch_;
  index_t i_;
  LaneMasks numbers_ = lane_numbers();
  LaneMasks lane_bits_ = (LaneMasks{} + 1) << lane_numbers();
  LaneMasks bits_[registers] = {};
  index_t first_[8] = {};
  index_t groups_ = 0;
};

template <class Touch>
concept TestsLanes = requires(Touch const& touch, LaneIndex j) { touch.near(0, j); };

template <TestsLanes Touch, class Stretches, class F>
void for_each_near(Touch const& touch, index_t i, Stretches const& stretches, F const& f)
{
  NearBits<Touch> near(touch, i);
  auto const visit = [&](std::uint64_t word) {
    for (; word != 0; word &= word - 1)
      f(near.slot(lowest_bit(word)));
  };
  stretches([&](index_t first, index_t last) { near.add(first, last, visit); });
  near.hand_over(visit);
}

template <TestsLanes Touch, class Stretches>
index_t count_near(Touch const& touch, index_t i, Stretches const& stretches)
{
  index_t count = 0;
  NearBits<Touch> near(touch, i);
  auto const add = [&](std::uint64_t word) { count += bits_set(word); };
  stretches([&](index_t first, index_t last) { near.add(first, last, add); });
  near.hand_over(add);
  return count;
}

#endif

} // namespace strata::contact
