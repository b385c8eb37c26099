#pragma once

#include "pack.hpp"
#include "prefetch.hpp"

#include "../../base/kokkos.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace strata {

namespace detail {

/// Members of all accessors whose data handle is a pointer.
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

/// Prefetches what the rule Accessor is about to load or store at p.
template <class Accessor, class T>
KOKKOS_FORCEINLINE_FUNCTION void fetch(T* p)
{
  if constexpr (std::is_const_v<T>)
    prefetch_second_level(p);
  else if constexpr (Accessor::fetches_before_store)
    prefetch<true>(p);
}

/// Loads a pack from any element of an array. Unaligned vector loads cost the same on host
/// processors; on a GPU, p must be aligned to the pack's size, which the launch guarantees.
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
  std::memcpy(static_cast<void*>(p), &value, sizeof(value));
#endif
}

} // namespace detail

/// Plain loads and stores.
struct AccessDefault
{
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

/// Elements that no work item writes during the launch. A GPU loads them through its read-only
/// data cache.
struct AccessReadOnly
{
  template <class T>
  struct accessor : detail::PointerAccessor<AccessReadOnly, T, std::remove_const_t<T>>
  {
    static_assert(std::is_const_v<T>, "read-only access is to const elements");
    using offset_policy = accessor;
    KOKKOS_DEFAULTED_FUNCTION accessor() = default;
    /// From plain access to an array that the launch does not write.
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
      if constexpr (is_narrow<T>)
        return std::remove_const_t<T>::of_bits(
            __ldg(reinterpret_cast<unsigned short const*>(p + i)));
      else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool const>)
        return __ldg(p + i); // none for bool
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
      } else if constexpr (sizeof(Packed) == sizeof(int2)) {
        int2 const words = __ldg(reinterpret_cast<int2 const*>(p + i));
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
  template <class T>
  struct accessor : detail::PointerAccessor<AccessRestrict, T, T&, T* __restrict__>
  {
    using offset_policy = accessor;
    /// The promise may be dropped. Only the caller can make it (Span::with).
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

} // namespace strata
