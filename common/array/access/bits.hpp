#pragma once

#include "pack.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strata {

// Arrays of bool with one bit per element. Packing is an access rule: layouts, spans, launches
// and kernels are the same as for any array. Different work items may write different elements:
// a bit that shares its word with others is updated atomically; a launch over packs stores
// whole words. Source: S2 section III.C (an accessor whose reference is a proxy).

/// Element i is bit i % 64 of word i / 64, counted from the least significant bit.
using BitWord = std::uint64_t; // as tally_t: other 64-bit types have no atomic instruction
inline constexpr int word_bits = 64;

/// W neighbouring elements as one value. A kernel that is launched over packs computes with
/// these in place of bools.
template <int W>
struct alignas(W / 8) BitPack
{
  static_assert(W % word_bits == 0 && (W & (W - 1)) == 0, "a power of two, of whole words");
  using value_type = bool;
  static constexpr int width = W;
  static constexpr int words = W / word_bits;

  BitWord word[words];

  KOKKOS_DEFAULTED_FUNCTION BitPack() = default;
  KOKKOS_FUNCTION BitPack(bool value) // implicit, as a Pack of its scalar
  {
    for (int k = 0; k < words; ++k)
      word[k] = value ? ~BitWord{0} : BitWord{0};
  }
};

/// pack_width and write_width for bits. A pack of bits is an array of words, not a vector
/// register, so that register width does not limit it.
template <class Execution = Device>
inline constexpr int bit_pack_width = 8 * access_bytes<Execution>;
template <class Execution = Device>
inline constexpr int bit_write_width = 8 * write_bytes<Execution>;

/// The conversion that kernels call (pack.hpp); bits convert to bool only.
template <class U, int W>
KOKKOS_FUNCTION BitPack<W> convert(BitPack<W> value)
{
  static_assert(std::is_same_v<U, bool>, "bits convert to bits alone");
  return value;
}

/// A pointer to one element of an array of bits: a word and the number of a bit in it.
template <class Word>
struct BitPointer
{
  Word* word = nullptr;
  unsigned bit = 0; ///< below 64

  KOKKOS_DEFAULTED_FUNCTION constexpr BitPointer() = default;
  KOKKOS_FUNCTION constexpr explicit BitPointer(Word* words, unsigned first = 0)
      : word(words)
      , bit(first)
  {
  }
  /// Adds const.
  template <class Other>
    requires std::is_convertible_v<Other (*)[], Word (*)[]>
  KOKKOS_FUNCTION constexpr BitPointer(BitPointer<Other> const& other)
      : word(other.word)
      , bit(other.bit)
  {
  }
  KOKKOS_FUNCTION constexpr BitPointer operator+(std::size_t elements) const
  {
    std::size_t const at = bit + elements;
    return BitPointer(word + at / word_bits, static_cast<unsigned>(at % word_bits));
  }
};

namespace detail {

/// Reads a word atomically, since other work items may write other bits of it. A word of const
/// bits has no writers and is read plainly.
KOKKOS_FUNCTION inline BitWord load_word(BitWord* p)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return *static_cast<BitWord volatile*>(p);
#else
  return __atomic_load_n(p, __ATOMIC_RELAXED);
#endif
}
KOKKOS_FUNCTION inline BitWord load_word(BitWord const* p)
{
  return *p;
}

/// Atomically replaces the bits selected by `mask` with those of `value`; other bits keep their
/// values.
KOKKOS_FUNCTION inline void update_word(BitWord* p, BitWord mask, BitWord value)
{
  Kokkos::atomic_and(p, value | ~mask);
  Kokkos::atomic_or(p, value & mask);
}

/// Loads a pack that begins at the start of a word; on a GPU by one instruction if p is aligned
/// to the pack's size.
template <int W>
KOKKOS_FUNCTION BitPack<W> load_words(BitWord const* p)
{
  BitPack<W> pack;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (reinterpret_cast<std::uintptr_t>(p) % alignof(BitPack<W>) == 0)
    return *reinterpret_cast<BitPack<W> const*>(p);
  for (int k = 0; k < pack.words; ++k)
    pack.word[k] = p[k];
#else
  std::memcpy(&pack, p, sizeof(pack));
#endif
  return pack;
}
template <int W>
KOKKOS_FUNCTION void store_words(BitWord* p, BitPack<W> const& pack)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if (reinterpret_cast<std::uintptr_t>(p) % alignof(BitPack<W>) == 0)
    *reinterpret_cast<BitPack<W>*>(p) = pack;
  else
    for (int k = 0; k < pack.words; ++k)
      p[k] = pack.word[k];
#else
  std::memcpy(p, &pack, sizeof(pack));
#endif
}

/// Loads a pack that begins inside a word.
template <int W, class Word>
KOKKOS_FUNCTION BitPack<W> load_across(BitPointer<Word> at)
{
  BitPack<W> pack;
  BitWord low = load_word(at.word);
  for (int k = 0; k < pack.words; ++k) {
    BitWord const high = load_word(at.word + k + 1);
    pack.word[k] = low >> at.bit | high << (word_bits - at.bit);
    low = high;
  }
  return pack;
}
/// Stores a pack that begins inside a word. Its first and last word hold bits of other elements
/// too, and are updated atomically.
template <int W>
KOKKOS_FUNCTION void store_across(BitPointer<BitWord> at, BitPack<W> pack)
{
  constexpr int last = BitPack<W>::words;
  BitWord const from_first = ~BitWord{0} << at.bit;
  auto const rest = word_bits - at.bit;
  update_word(at.word, from_first, pack.word[0] << at.bit);
  for (int k = 1; k < last; ++k)
    at.word[k] = pack.word[k - 1] >> rest | pack.word[k] << at.bit;
  update_word(at.word + last, ~from_first, pack.word[last - 1] >> rest);
}

} // namespace detail

/// One element of a mutable array of bits. Assignment is atomic, because other work items may
/// write other bits of the same word.
class BitReference
{
public:
  KOKKOS_FUNCTION explicit BitReference(BitPointer<BitWord> p)
      : p_(p)
  {
  }
  KOKKOS_DEFAULTED_FUNCTION BitReference(BitReference const&) = default;

  KOKKOS_FUNCTION operator bool() const
  {
    return (detail::load_word(p_.word) >> p_.bit & 1U) != 0;
  }
  KOKKOS_FUNCTION BitReference const& operator=(bool value) const
  {
    BitWord const mask = BitWord{1} << p_.bit;
    if (value)
      Kokkos::atomic_or(p_.word, mask);
    else
      Kokkos::atomic_and(p_.word, ~mask);
    return *this;
  }
  KOKKOS_FUNCTION BitReference const& operator=(BitReference const& other) const
  {
    return *this = static_cast<bool>(other);
  }

private:
  BitPointer<BitWord> p_;
};

/// One bit per element of type bool. Launch over `Packs<bit_pack_width<>>`: a pack that begins
/// at the start of a word is loaded and stored as plain words, one that does not costs two
/// atomic updates, and each single element costs one. While a span of const bits is read, no
/// work item may write its words.
struct AccessBits
{
  /// Bytes that `count` elements occupy; an array allocates whole words.
  static KOKKOS_FUNCTION constexpr index_t bytes(index_t count) { return (count + 7) / 8; }

  template <class T>
  struct accessor
  {
    static_assert(std::is_same_v<std::remove_const_t<T>, bool>, "bits are bools");
    using Word = std::conditional_t<std::is_const_v<T>, BitWord const, BitWord>;
    using element_type = T;
    using reference = std::conditional_t<std::is_const_v<T>, bool, BitReference>;
    using data_handle_type = BitPointer<Word>;
    using offset_policy = accessor;

    static KOKKOS_FUNCTION constexpr data_handle_type offset(data_handle_type p,
                                                             std::size_t i) noexcept
    {
      return p + i;
    }
    static KOKKOS_FUNCTION reference access(data_handle_type p, std::size_t i) noexcept
    {
      auto const at = p + i;
      if constexpr (std::is_const_v<T>)
        return (detail::load_word(at.word) >> at.bit & 1U) != 0;
      else
        return reference(at);
    }

    template <int W>
      requires(W % word_bits == 0)
    static KOKKOS_FUNCTION BitPack<W> load(data_handle_type p, std::size_t i)
    {
      auto const at = p + i;
      if (at.bit == 0)
        return detail::load_words<W>(at.word);
      return detail::load_across<W>(at);
    }

    template <int W>
      requires(W % word_bits == 0 && !std::is_const_v<T>)
    static KOKKOS_FUNCTION void store(data_handle_type p, std::size_t i, BitPack<W> const& pack)
    {
      auto const at = p + i;
      if (at.bit == 0)
        detail::store_words(at.word, pack);
      else
        detail::store_across(at, pack);
    }
  };
};

} // namespace strata
