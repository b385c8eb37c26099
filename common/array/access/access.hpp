#pragma once

#include "pack.hpp"
#include "prefetch.hpp"

#include "../../base/kokkos.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace strata {

// An access rule is a policy with `accessor<T>`, which turns pointer and offset into a
// reference and meets the standard's accessor requirements (S2 section III.C). An accessor
// that can also `load` and `store` packs says so by having them.

namespace detail {

/// The members every accessor over a plain pointer has.
template <class Access, class T, class Reference, class Handle = T*>
struct PointerAccessor
{
  using element_type = T;
  using reference = Reference;
  using data_handle_type = Handle;
  static constexpr bool fetches_before_store = true;
  static KOKKOS_FUNCTION constexpr Handle offset(Handle p, std::size_t i) noexcept
  {
    return p + i;
  }
};

/// Asks the caches for what is soon loaded or stored by the rule Accessor.
template <class Accessor, class T>
KOKKOS_FUNCTION void fetch(T* p)
{
  if constexpr (std::is_const_v<T>)
    prefetch(p);
  else if constexpr (Accessor::fetches_before_store)
    prefetch<true>(p);
}

/// A pack at any element of an array. Host processors load and store vectors anywhere at the
/// same cost; on a GPU the launch sees to it that p is a multiple of the pack's size.
template <int W, class T>
KOKKOS_FUNCTION Pack<std::remove_const_t<T>, W> load_pack(T* p)
{
  using Packed = Pack<std::remove_const_t<T>, W>;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return *reinterpret_cast<Packed const*>(p);
#else
  Packed value;
  std::memcpy(&value, p, sizeof(value));
  return value;
#endif
}
template <class T, int W>
KOKKOS_FUNCTION void store_pack(T* p, Pack<T, W> value)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  *reinterpret_cast<Pack<T, W>*>(p) = value;
#else
  std::memcpy(p, &value, sizeof(value));
#endif
}

} // namespace detail

/// Plain loads and stores.
struct AccessDefault
{
  static std::string name() { return "default"; }
  template <class T>
  struct accessor : detail::PointerAccessor<AccessDefault, T, T&>
  {
    using offset_policy = accessor;
    static KOKKOS_FUNCTION constexpr T& access(T* p, std::size_t i) noexcept { return p[i]; }
    template <int W>
    static KOKKOS_FUNCTION auto load(T* p, std::size_t i)
    {
      return detail::load_pack<W>(p + i);
    }
    template <int W>
    static KOKKOS_FUNCTION void store(T* p, std::size_t i, Pack<T, W> value)
    {
      detail::store_pack(p + i, value);
    }
  };
};

/// Elements are values: what nothing writes during the launch (a GPU's read-only path).
struct AccessReadOnly
{
  static std::string name() { return "readonly"; }
  template <class T>
  struct accessor : detail::PointerAccessor<AccessReadOnly, T, std::remove_const_t<T>>
  {
    static_assert(std::is_const_v<T>, "read-only access is to const elements");
    using offset_policy = accessor;
    KOKKOS_DEFAULTED_FUNCTION accessor() = default;
    /// A launch that reads an array by plain access may as well promise not to write it.
    KOKKOS_FUNCTION constexpr accessor(AccessDefault::accessor<T> const&) noexcept {}
    KOKKOS_FUNCTION constexpr accessor(
        AccessDefault::accessor<std::remove_const_t<T>> const&) noexcept
    {
    }
    KOKKOS_FUNCTION constexpr operator AccessDefault::accessor<T>() const noexcept
    {
      return {};
    }
    static KOKKOS_FUNCTION constexpr std::remove_const_t<T> access(T* p, std::size_t i) noexcept
    {
#if defined(__CUDA_ARCH__)
      if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool const>) // none for bool
        return __ldg(p + i);
#endif
      return p[i];
    }
    template <int W>
    static KOKKOS_FUNCTION auto load(T* p, std::size_t i)
    {
#if defined(__CUDA_ARCH__)
      using Packed = Pack<std::remove_const_t<T>, W>;
      if constexpr (sizeof(Packed) == sizeof(int4)) {
        int4 const words = __ldg(reinterpret_cast<int4 const*>(p + i));
        return *reinterpret_cast<Packed const*>(&words);
      } else
#endif
        return detail::load_pack<W>(p + i);
    }
  };
};

/// The array overlaps no other operand of the kernel: C's `restrict`, in the handle's type.
struct AccessRestrict
{
  static std::string name() { return "restrict"; }
  template <class T>
  struct accessor : detail::PointerAccessor<AccessRestrict, T, T&, T* __restrict__>
  {
    using offset_policy = accessor;
    /// The promise may be dropped; only a caller who knows can give it (Span::with).
    template <class U>
      requires std::is_convertible_v<T (*)[], U (*)[]>
    KOKKOS_FUNCTION constexpr operator AccessDefault::accessor<U>() const noexcept
    {
      return {};
    }
    static KOKKOS_FUNCTION constexpr T& access(T* __restrict__ p, std::size_t i) noexcept
    {
      return p[i];
    }
    template <int W>
    static KOKKOS_FUNCTION auto load(T* __restrict__ p, std::size_t i)
    {
      return detail::load_pack<W>(p + i);
    }
    template <int W>
    static KOKKOS_FUNCTION void store(T* __restrict__ p, std::size_t i, Pack<T, W> value)
    {
      detail::store_pack(p + i, value);
    }
  };
};

/// Every load and update is atomic; its cost is the point of choosing it (S2 Fig 1).
struct AccessAtomic
{
  static std::string name() { return "atomic"; }
  template <class T>
  struct accessor
  {
    using value_type = std::remove_const_t<T>;
    struct reference
    {
      T* p;
      KOKKOS_FUNCTION constexpr explicit reference(T* where)
          : p(where)
      {
      }
      KOKKOS_DEFAULTED_FUNCTION constexpr reference(reference const&) = default;
      KOKKOS_FUNCTION operator value_type() const { return strata::atomic_load(p); }
      KOKKOS_FUNCTION reference const& operator=(value_type value) const
        requires(!std::is_const_v<T>)
      {
        Kokkos::atomic_exchange(p, value);
        return *this;
      }
      KOKKOS_FUNCTION reference const& operator=(reference const& other) const
        requires(!std::is_const_v<T>)
      {
        return *this = static_cast<value_type>(other);
      }
      KOKKOS_FUNCTION reference const& operator+=(value_type value) const
        requires(!std::is_const_v<T>)
      {
        Kokkos::atomic_add(p, value);
        return *this;
      }
    };
    using element_type = T;
    using data_handle_type = T*;
    using offset_policy = accessor;
    static KOKKOS_FUNCTION constexpr T* offset(T* p, std::size_t i) noexcept { return p + i; }
    static KOKKOS_FUNCTION constexpr reference access(T* p, std::size_t i) noexcept
    {
      return reference(p + i);
    }
  };
};

/// Stores go past the caches and lines are not read before they are overwritten. On a CPU
/// only whole packs can do that; single elements are stored plainly. On a GPU loads, too, are
/// marked as of no further use.
struct AccessStreaming
{
  static std::string name() { return "streaming"; }

#if defined(__CUDA_ARCH__) || defined(KOKKOS_ENABLE_CUDA) || defined(__SSE2__)
  static constexpr bool available = true;
#else
  static constexpr bool available = false; ///< No non-temporal store known: plain ones.
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
      } else
#endif
        return detail::load_pack<W>(p + i);
    }
    /// Ordered by `streaming_fence`. Plain where p + i is no multiple of the pack's size.
    template <int W>
    static KOKKOS_FUNCTION void store(T* p, std::size_t i, Pack<T, W> value)
    {
#if defined(__CUDA_ARCH__)
      if constexpr (sizeof(value) == 16)
        __stcs(reinterpret_cast<int4*>(p + i), *reinterpret_cast<int4 const*>(&value));
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
      stream<__m128i>(p + i, value, [](auto* to, auto v) { _mm_stream_si128(to, v); });
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

/// Makes this thread's streaming stores visible before the launch ends; other devices need
/// nothing.
inline KOKKOS_FUNCTION void streaming_fence()
{
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  _mm_sfence();
#endif
}

/// A pack in memory: what a span of mutable elements returns for a PackIndex.
template <class Accessor, int W>
class PackReference
{
  using Handle = typename Accessor::data_handle_type;
  using Value = decltype(Accessor::template load<W>(Handle(), std::size_t()));

public:
  KOKKOS_FUNCTION PackReference(Handle p, std::size_t offset)
      : p_(p)
      , offset_(offset)
  {
  }
  KOKKOS_DEFAULTED_FUNCTION PackReference(PackReference const&) = default;

  KOKKOS_FUNCTION operator Value() const { return Accessor::template load<W>(p_, offset_); }
  KOKKOS_FUNCTION PackReference const& operator=(Value value) const
  {
    Accessor::template store<W>(p_, offset_, value);
    return *this;
  }
  KOKKOS_FUNCTION PackReference const& operator=(PackReference const& other) const
  {
    return *this = static_cast<Value>(other);
  }
  KOKKOS_FUNCTION PackReference const& operator+=(Value value) const
  {
    return *this = static_cast<Value>(*this) + value;
  }

private:
  Handle p_;
  std::size_t offset_;
};

/// Whether an access rule can move whole packs.
template <class Access, class T>
concept Packable = requires(typename Access::template accessor<T>::data_handle_type p) {
  Access::template accessor<T>::template load<2>(p, std::size_t{});
};

/// Access rules with their deck names, as Layouts is for layouts.
template <class... Access>
struct AccessRules
{
  static std::vector<std::string> names() { return {Access::name()...}; }
  template <class F>
  static void for_each(F&& f)
  {
    (f.template operator()<Access>(), ...);
  }
};

} // namespace strata
