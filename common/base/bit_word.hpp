#pragma once

#include "kokkos.hpp"

#include <bit>
#include <cstdint>

namespace strata {

/// The number of the lowest bit set; there must be one.
KOKKOS_FORCEINLINE_FUNCTION int lowest_bit(std::uint64_t word)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
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
KOKKOS_FORCEINLINE_FUNCTION int bits_set(std::uint64_t word)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popcll(word);
#else
  return std::popcount(word);
#endif
}

} // namespace strata
