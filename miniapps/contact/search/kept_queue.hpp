#pragma once

#include "near.hpp"

#include "base/kokkos.hpp"

#include <cstdint>

namespace strata::contact {

/// KeptBits a few at a time, in 32-bit words, which a GPU shifts in one instruction each.
class KeptQueue
{
public:
  /// Empty.
  KOKKOS_DEFAULTED_FUNCTION KeptQueue() = default;
  /// Of bits that `kept()` gave.
  KOKKOS_FUNCTION explicit KeptQueue(KeptBits const& bits)
      : count_(bits.fits() ? 0 : KeptBits::room + 1)
  {
    for (int w = 0; w < words; ++w)
      word_[w] = static_cast<std::uint32_t>(bits.word[w / 2] >> 32 * (w % 2));
  }
  /// Puts the first `count` bits, at most 16; others are 0.
  KOKKOS_FUNCTION void put(std::uint32_t bits, int count)
  {
    shift(bits, count);
    count_ += count;
  }
  /// Takes so many of the bits that were put first, at most 16.
  KOKKOS_FUNCTION std::uint32_t take(int count)
  {
    std::uint32_t const taken = word_[0] & ((std::uint32_t{1} << count) - 1);
    shift(0, count);
    return taken;
  }
  /// Whether all that were put have found room.
  [[nodiscard]] KOKKOS_FUNCTION bool fits() const { return count_ <= KeptBits::room; }
  /// What was put, the first bit first.
  [[nodiscard]] KOKKOS_FUNCTION KeptBits kept() const
  {
    if (!fits())
      return {{KeptBits::all, KeptBits::all}};
    KeptQueue all = *this;
    for (int left = KeptBits::room - count_; left > 0; left -= most)
      all.shift(0, left < most ? left : most);
    KeptBits bits;
    for (int w = 0; w < words; ++w)
      bits.word[w / 2] |= std::uint64_t{all.word_[w]} << 32 * (w % 2);
    return bits;
  }

private:
  static constexpr int words = KeptBits::room / 32;
  static constexpr int most = 16;

  KOKKOS_FUNCTION void shift(std::uint32_t from_above, int count)
  {
    for (int w = 0; w < words; ++w)
      word_[w] = lower_of(word_[w], w + 1 < words ? word_[w + 1] : from_above, count);
  }
  /// The lower word of two that are shifted by `count`.
  static KOKKOS_FUNCTION std::uint32_t lower_of(std::uint32_t low, std::uint32_t high,
                                                int count)
  {
#if defined(__CUDA_ARCH__)
    return __funnelshift_r(low, high, static_cast<unsigned>(count));
#else
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> count);
#endif
  }

  std::uint32_t word_[words] = {};
  int count_ = 0;
};

} // namespace strata::contact
