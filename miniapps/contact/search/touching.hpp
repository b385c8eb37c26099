#pragma once

#include "candidates.hpp"

#include "base/bit_word.hpp"

#include <cstdint>

// The narrow phase over candidates that are kept.

namespace strata::contact {

/// The narrow phase as an update needs it: objects by local index.
template <class Touch>
struct Now
{
  Touch touch;

  KOKKOS_FUNCTION bool is(index_t i, index_t j) const
  {
    bool const near = touch.near(i, j);
    if constexpr (Touch::near_is_touch)
      if (touch.in.counts_all())
        return near;
    return near && touch.in.counts(i, j) && touch.touch(i, j);
  }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const { return touch.gap(i, j); }
};

/// The candidates of a row and, one bit each, whether they touch now. All candidates of a word
/// are tested before any is used, since no branch predictor knows which will touch.
template <class Touch>
struct Touching
{
  static constexpr index_t word_bits = 64;
  Now<Touch> now;
  CandidatesView candidates;

  KOKKOS_FUNCTION index_t words(index_t row) const
  {
    return (candidates.length(row) + word_bits - 1) / word_bits;
  }
  KOKKOS_FUNCTION std::uint64_t word(index_t row, index_t number) const
  {
    index_t const first = candidates.begin(row) + number * word_bits;
    index_t const left = candidates.end(row) - first;
    auto const count = static_cast<int>(left < word_bits ? left : word_bits);
    std::uint64_t bits = 0;
    for (int k = 0; k < count; ++k)
      bits |= static_cast<std::uint64_t>(now.is(row, candidates.neighbour(first + k))) << k;
    return bits;
  }
  /// Calls f(j) for the candidates of a word's bits.
  template <class F>
  KOKKOS_FUNCTION void for_each(index_t row, index_t number, std::uint64_t bits,
                                F const& f) const
  {
    index_t const first = candidates.begin(row) + number * word_bits;
    for (; bits != 0; bits &= bits - 1)
      f(candidates.neighbour(first + lowest_bit(bits)));
  }
};

} // namespace strata::contact
