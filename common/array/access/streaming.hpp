#pragma once

#include "plain.hpp"

#include "../../base/kokkos.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace strata {

/// Non-temporal stores: they bypass the caches and avoid write-allocate. On a CPU only packs
/// are stored so; single elements are stored plainly. On a GPU, loads are marked as streaming,
/// too.
struct AccessStreaming
{

#if defined(__CUDA_ARCH__) || defined(KOKKOS_ENABLE_CUDA) || defined(__SSE2__)
  static constexpr bool available = true;
#else
  static constexpr bool available = false; ///< no non-temporal store is known: plain stores
#endif

  template <class T>
  struct accessor : detail::PointerAccessor<AccessStreaming, T, T&>
  {
    using offset_policy = accessor;
    static constexpr bool fetches_before_store = false;
    static KOKKOS_FUNCTION constexpr T& access(T* p, std::size_t i) noexcept { return p[i]; }
    template <int W>
    static KOKKOS_FUNCTION auto load(T* p, std::size_t i)
    {
#if defined(__CUDA_ARCH__)
      using Packed = Pack<std::remove_const_t<T>, W>;
      if constexpr (sizeof(Packed) == sizeof(int4)) {
        int4 const words = __ldcs(reinterpret_cast<int4 const*>(p + i));
        return *reinterpret_cast<Packed const*>(&words);
      } else if constexpr (sizeof(Packed) == sizeof(int2)) {
        int2 const words = __ldcs(reinterpret_cast<int2 const*>(p + i));
        return *reinterpret_cast<Packed const*>(&words);
      } else
#endif
        return detail::load_pack<W>(p + i);
    }
    /// `streaming_fence` makes it visible. A plain store if the pack is smaller than a
    /// register, or p + i is not aligned to its size.
    template <int W>
    static KOKKOS_FUNCTION void store(T* p, std::size_t i, Pack<T, W> value)
    {
#if defined(__CUDA_ARCH__)
      if constexpr (sizeof(value) == 16)
        __stcs(reinterpret_cast<int4*>(p + i), *reinterpret_cast<int4 const*>(&value));
      else if constexpr (sizeof(value) == 8)
        __stcs(reinterpret_cast<int2*>(p + i), *reinterpret_cast<int2 const*>(&value));
      else
        detail::store_pack(p + i, value);
#elif defined(__SSE2__)
#if defined(__AVX512F__)
      if constexpr (sizeof(value) % sizeof(__m512i) == 0)
        return stream<__m512i>(p + i, value,
                               [](auto* to, auto v) { _mm512_stream_si512(to, v); });
#endif
#if defined(__AVX__)
      if constexpr (sizeof(value) % sizeof(__m256i) == 0)
        return stream<__m256i>(p + i, value,
                               [](auto* to, auto v) { _mm256_stream_si256(to, v); });
#endif
      if constexpr (sizeof(value) % sizeof(__m128i) == 0)
        return stream<__m128i>(p + i, value, [](auto* to, auto v) { _mm_stream_si128(to, v); });
      detail::store_pack(p + i, value);
#else
      detail::store_pack(p + i, value);
#endif
    }

  private:
    template <class Register, int W, class Store>
    static void stream(T* p, Pack<T, W> value, Store store)
    {
      static_assert(sizeof(value) % sizeof(Register) == 0);
      if (reinterpret_cast<std::uintptr_t>(p) % sizeof(Register) != 0) {
        detail::store_pack(p, value);
        return;
      }
      auto const* from = reinterpret_cast<Register const*>(&value);
      auto* to = reinterpret_cast<Register*>(p);
      for (std::size_t part = 0; part < sizeof(value) / sizeof(Register); ++part)
        store(to + part, from[part]);
    }
  };
};

/// Makes this thread's non-temporal stores visible to other threads. Needed on x86 only.
inline KOKKOS_FUNCTION void streaming_fence()
{
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  _mm_sfence();
#endif
}

} // namespace strata
