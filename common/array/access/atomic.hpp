#pragma once

#include "../../base/kokkos.hpp"

#include <cstddef>
#include <type_traits>

namespace strata {

/// Every load and update is atomic; its cost is the point of choosing it (S2 Fig 1). A load
/// does not write.
struct AccessAtomic
{
  /// An element. Updates return nothing: a work item that needs the value before its own update
  /// says fetch_add.
  template <class T>
  class Reference
  {
  public:
    using value_type = std::remove_const_t<T>;

    KOKKOS_FUNCTION constexpr explicit Reference(T* where)
        : p_(where)
    {
    }
    KOKKOS_DEFAULTED_FUNCTION constexpr Reference(Reference const&) = default;
    KOKKOS_FUNCTION operator value_type() const { return strata::atomic_load(p_); }

    KOKKOS_FUNCTION Reference const& operator=(value_type value) const
      requires(!std::is_const_v<T>)
    {
      Kokkos::atomic_exchange(p_, value);
      return *this;
    }
    KOKKOS_FUNCTION Reference const& operator=(Reference const& other) const
      requires(!std::is_const_v<T>)
    {
      return *this = static_cast<value_type>(other);
    }
    KOKKOS_FUNCTION void operator+=(value_type value) const
      requires(!std::is_const_v<T>)
    {
      Kokkos::atomic_add(p_, value);
    }
    KOKKOS_FUNCTION void operator-=(value_type value) const
      requires(!std::is_const_v<T>)
    {
      Kokkos::atomic_fetch_sub(p_, value);
    }
    KOKKOS_FUNCTION void operator++() const
      requires(std::is_integral_v<value_type> && !std::is_const_v<T>)
    {
      *this += value_type{1};
    }
    KOKKOS_FUNCTION void operator--() const
      requires(std::is_integral_v<value_type> && !std::is_const_v<T>)
    {
      *this -= value_type{1};
    }
    KOKKOS_FUNCTION void operator|=(value_type bits) const
      requires(std::is_integral_v<value_type> && !std::is_const_v<T>)
    {
      Kokkos::atomic_fetch_or(p_, bits);
    }
    KOKKOS_FUNCTION void operator&=(value_type bits) const
      requires(std::is_integral_v<value_type> && !std::is_const_v<T>)
    {
      Kokkos::atomic_fetch_and(p_, bits);
    }
    /// Lowers the element to `value`, or leaves it.
    KOKKOS_FUNCTION void min(value_type value) const
      requires(!std::is_const_v<T>)
    {
      Kokkos::atomic_fetch_min(p_, value);
    }
    /// Raises the element to `value`, or leaves it.
    KOKKOS_FUNCTION void max(value_type value) const
      requires(!std::is_const_v<T>)
    {
      Kokkos::atomic_fetch_max(p_, value);
    }
    /// Adds, and returns what the element was before.
    KOKKOS_FUNCTION value_type fetch_add(value_type value) const
      requires(!std::is_const_v<T>)
    {
      return Kokkos::atomic_fetch_add(p_, value);
    }

  private:
    T* p_;
  };

  template <class T>
  struct accessor
  {
    using element_type = T;
    using reference = Reference<T>;
    using data_handle_type = T*;
    using offset_policy = accessor;
    static KOKKOS_FUNCTION constexpr T* offset(T* p, std::size_t i) noexcept { return p + i; }
    static KOKKOS_FUNCTION constexpr reference access(T* p, std::size_t i) noexcept
    {
      return reference(p + i);
    }
  };
};

} // namespace strata
