#pragma once

#include "base/bit_word.hpp"
#include "grid/lanes.hpp"

#include <cstdint>
#include <type_traits>

// All slots near one, of those in stretches: `stretches(g)` calls g(first, last) for each.

namespace strata::contact {

/// Calls f(j) for the slots near slot i; also for i if the stretches contain it.
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

/// One bit per candidate of a slot (or of slots that are searched for at once), in their order:
/// whether it is an entry of the slot's row. The counting pass stores the bits, and the filling
/// pass need not test again. If there are more candidates than bits, all bits are set and the
/// filling pass searches again.
struct KeptBits
{
  static constexpr int word_bits = 64;
  static constexpr int room = 2 * word_bits;
  static constexpr std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t word[2] = {};

  [[nodiscard]] KOKKOS_FUNCTION bool fits() const { return (word[0] & word[1]) != all; }
};

/// Makes KeptBits of the words of a slot's candidates, and counts their bits.
class Keeping
{
public:
  KOKKOS_FUNCTION void take(std::uint64_t word)
  {
    count_ += bits_set(word);
    if (words_ == 0)
      bits_.word[0] = word;
    else
      bits_.word[1] = words_ == 1 ? word : KeptBits::all;
    if (words_ == 2)
      bits_.word[0] = KeptBits::all;
    words_ += words_ < 2 ? 1 : 0;
  }
  [[nodiscard]] KOKKOS_FUNCTION KeptBits const& bits() const { return bits_; }
  [[nodiscard]] KOKKOS_FUNCTION index_t count() const { return count_; }

private:
  KeptBits bits_;
  int words_ = 0; ///< taken, up to 2
  index_t count_ = 0;
};

/// A test that all near slots pass.
struct All
{
};

/// Counts the slots near slot i, without itself, for which is(j) holds, and stores their bits.
template <class Touch, class Stretches, class Is>
KOKKOS_FUNCTION index_t keep_near(Touch const& touch, index_t i, Stretches const& stretches,
                                  Is const& is, KeptBits& kept)
{
  Keeping keeping;
  std::uint64_t word = 0;
  int bit = 0;
  stretches([&](index_t first, index_t last) {
    for (index_t j = first; j < last; ++j) {
      bool entry = touch.near(i, j) & (j != i);
      if constexpr (!std::is_same_v<Is, All>)
        entry = entry && is(j);
      word |= std::uint64_t{entry} << bit;
      if (++bit == KeptBits::word_bits) {
        keeping.take(word);
        word = 0;
        bit = 0;
      }
    }
  });
  if (bit > 0)
    keeping.take(word);
  kept = keeping.bits();
  return keeping.count();
}

#if defined(STRATA_LANES)

/// Calls g(group) for the first slot of every group of a stretch; for one if it is empty.
template <class G>
void for_each_group(index_t first, index_t last, G const& g)
{
  do {
    g(first);
    first += lanes;
  } while (first < last);
}

/// Tests the candidates of slot i in groups of eight neighbours, one bit each, and passes on
/// words of eight groups. No branch depends on a single test: few candidates are near, and the
/// branch would often be mispredicted.
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
    for_each_group(first, last, [&](index_t group) {
      if (groups_ == 8)
        hand_over(f);
      first_[groups_] = group;
      for (index_t r = 0; r < registers; ++r) {
        index_t const at = group + r * register_lanes;
        auto const there = numbers_ < last - at;
        bits_[r] |= (touch_.near(i_, LaneIndex{at}) & there & lane_bits_)
                    << (lanes * groups_ + r * register_lanes);
      }
      ++groups_;
    });
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

#endif

/// Calls begin(count) with the number of candidates that keep_near stored and, if it returns
/// true, f(j) for each. Returns false, without any call, if there were more candidates than
/// bits.
template <class Stretches, class Begin, class F>
KOKKOS_FUNCTION bool for_each_kept(KeptBits const& kept, Stretches const& stretches,
                                   Begin const& begin, F const& f)
{
  std::uint64_t low = kept.word[0]; // of the bits from the next stretch on
  std::uint64_t high = kept.word[1];
  if (!kept.fits())
    return false;
  if (!begin(bits_set(low) + bits_set(high)))
    return true;
  stretches([&](index_t first, index_t last) {
    for (index_t left = last - first; left > 0 && (low | high) != 0;) {
      index_t const some = left < KeptBits::word_bits ? left : KeptBits::word_bits;
      auto const rest = KeptBits::all << (some - 1) << 1;
      for (auto word = low & ~rest; word != 0; word &= word - 1)
        f(first + lowest_bit(word));
      low = low >> (some - 1) >> 1 | high << (KeptBits::word_bits - some);
      high = high >> (some - 1) >> 1;
      first += some;
      left -= some;
    }
  });
  return true;
}

} // namespace strata::contact
