#pragma once

#include "kokkos.hpp"

#include <bit>
#include <concepts>
#include <cstdint>

namespace strata {

/// The number of the lowest bit set; there must be one.
template <std::unsigned_integral Word>
KOKKOS_FORCEINLINE_FUNCTION int lowest_bit(Word word)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (sizeof(Word) <= sizeof(int))
    return __ffs(static_cast<int>(word)) - 1;
  else
    return __ffsll(static_cast<long long>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

/// The number of the highest bit set; there must be one.
KOKKOS_FORCEINLINE_FUNCTION int highest_bit(std::uint64_t word)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return 63 - __clzll(static_cast<long long>(word));
#else
  return 63 - std::countl_zero(word);
#endif
}

/// How many bits are set.
template <std::unsigned_integral Word>
KOKKOS_FORCEINLINE_FUNCTION int bits_set(Word word)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (sizeof(Word) <= sizeof(int))
    return __popc(word);
  else
    return __popcll(word);
#else
  return std::popcount(word);
#endif
}

/// The bits in the opposite order.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed(std::uint32_t word)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __brev(word);
#else
  word = (word >> 1 & 0x55555555) | (word & 0x55555555) << 1;
  word = (word >> 2 & 0x33333333) | (word & 0x33333333) << 2;
  word = (word >> 4 & 0x0f0f0f0f) | (word & 0x0f0f0f0f) << 4;
  word = (word >> 8 & 0x00ff00ff) | (word & 0x00ff00ff) << 8;
  return word >> 16 | word << 16;
#endif
}

} // namespace strata
