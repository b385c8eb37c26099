#pragma once

#include "narrow.hpp"

#include <bit>
#include <cstdint>
#include <utility>

// Conversions of W narrow numbers at once, on hosts whose compiler has vector types.

#if defined(STRATA_LANES)

#if defined(__AVX2__) || defined(__F16C__)
#include <immintrin.h>
#endif

namespace strata::detail {

// NOLINTBEGIN(modernize-use-using): an alias ignores an attribute that depends on W
template <int W>
struct NarrowLanes
{
  typedef std::uint16_t Narrow __attribute__((vector_size(sizeof(std::uint16_t) * W)));
  typedef std::uint32_t Wide __attribute__((vector_size(sizeof(std::uint32_t) * W)));
  typedef float Floats __attribute__((vector_size(sizeof(float) * W)));
};
// NOLINTEND(modernize-use-using)

// Lanes are passed by reference: how they are returned depends on the processor's registers.
// The masks that let all lanes through spare GCC 12's warning of lanes that are left open.

template <int W>
void widen(Binary16, typename NarrowLanes<W>::Narrow const& bits,
           typename NarrowLanes<W>::Floats& values)
{
#if defined(__AVX512F__)
  if constexpr (W == 16) {
    values = _mm512_maskz_cvtph_ps(0xffff, reinterpret_cast<__m256i>(bits));
    return;
  }
#endif
#if defined(__F16C__)
  if constexpr (W == 8) {
    values = _mm256_cvtph_ps(reinterpret_cast<__m128i>(bits));
    return;
  }
  if constexpr (W == 4) {
    values = _mm_cvtph_ps(_mm_cvtsi64_si128(reinterpret_cast<long long>(bits)));
    return;
  }
#endif
  for (int w = 0; w < W; ++w)
    values[w] = Binary16::widened(bits[w]);
}

template <int W>
void round(Binary16, typename NarrowLanes<W>::Floats const& values,
           typename NarrowLanes<W>::Narrow& bits)
{
#if defined(__AVX512F__)
  if constexpr (W == 16) {
    bits = reinterpret_cast<typename NarrowLanes<W>::Narrow>(
        _mm512_maskz_cvtps_ph(0xffff, values, _MM_FROUND_TO_NEAREST_INT));
    return;
  }
#endif
#if defined(__F16C__)
  if constexpr (W == 8) {
    bits = reinterpret_cast<typename NarrowLanes<W>::Narrow>(
        _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
    return;
  }
  if constexpr (W == 4) {
    bits = reinterpret_cast<typename NarrowLanes<W>::Narrow>(
        _mm_cvtsi128_si64(_mm_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT)));
    return;
  }
#endif
  for (int w = 0; w < W; ++w)
    bits[w] = Binary16::rounded(values[w]);
}

/// A register's 16-bit words as 32-bit ones; GCC 12 converts them in two halves.
template <int W>
void widen_words(typename NarrowLanes<W>::Narrow const& narrow,
                 typename NarrowLanes<W>::Wide& wide)
{
  using Wide = typename NarrowLanes<W>::Wide;
#if defined(__AVX512F__)
  if constexpr (W == 16) {
    wide = reinterpret_cast<Wide>(
        _mm512_maskz_cvtepu16_epi32(0xffff, reinterpret_cast<__m256i>(narrow)));
    return;
  }
#endif
#if defined(__AVX2__)
  if constexpr (W == 8) {
    wide = reinterpret_cast<Wide>(_mm256_cvtepu16_epi32(reinterpret_cast<__m128i>(narrow)));
    return;
  }
#endif
  wide = __builtin_convertvector(narrow, Wide);
}

template <int W>
void widen(Brain16, typename NarrowLanes<W>::Narrow const& bits,
           typename NarrowLanes<W>::Floats& values)
{
  typename NarrowLanes<W>::Wide wide;
  widen_words<W>(bits, wide);
  values = reinterpret_cast<typename NarrowLanes<W>::Floats>(wide << 16);
}

template <int W>
void round(Brain16, typename NarrowLanes<W>::Floats const& values,
           typename NarrowLanes<W>::Narrow& bits)
{
  using Wide = typename NarrowLanes<W>::Wide;
  auto const from = reinterpret_cast<Wide>(values);
  Wide const number = from + 0x7fffU + (from >> 16 & 1U);
  Wide const rounded = values == values ? number : from | 0x400000U;
  // The upper words, by a shuffle: a shift and a conversion would be two instructions and more.
  static_assert(W > 0 && std::endian::native == std::endian::little);
  auto const words = reinterpret_cast<typename NarrowLanes<2 * W>::Narrow>(rounded);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    bits = __builtin_shufflevector(words, words, static_cast<int>(2 * K + 1)...);
  }(std::make_index_sequence<W>());
}

} // namespace strata::detail

#endif
