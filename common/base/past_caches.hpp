#pragma once

#include "lanes.hpp"

#include <cstring>

#if defined(STRATA_LANES) && defined(__SSE2__)
#include <immintrin.h>
#endif

// Non-temporal stores of a host for the native controls: raw pointers, nothing of the core's
// access rules. They write a cache line without reading it first.

namespace strata {

#if defined(STRATA_LANES) && defined(__SSE2__)

inline constexpr bool stores_past_caches = true;

/// *to = *value, both of register_bytes, to which `to` is aligned.
inline void store_past_caches(void* to, void const* value)
{
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(to), _mm512_loadu_si512(value));
#elif defined(__AVX__)
  _mm256_stream_si256(static_cast<__m256i*>(to),
                      _mm256_loadu_si256(static_cast<__m256i const*>(value)));
#else
  _mm_stream_si128(static_cast<__m128i*>(to),
                   _mm_loadu_si128(static_cast<__m128i const*>(value)));
#endif
}

/// Makes this thread's stores past the caches visible to others.
inline void publish_stores()
{
  _mm_sfence();
}

#else

inline constexpr bool stores_past_caches = false; ///< none is known: stores are plain

inline void store_past_caches(void* to, void const* value)
{
  std::memcpy(to, value, register_bytes);
}
inline void publish_stores()
{
}

#endif

} // namespace strata
