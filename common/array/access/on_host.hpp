#pragma once

#include "accessor.hpp"
#include "pack.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
#include <type_traits>

namespace strata {

namespace detail {

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
/// Not defined, so that device code which calls it does not link: nvcc's ptxas reports it when
/// it compiles the kernel.
__device__ void a_span_of_host_memory_is_used_in_device_code();
#endif

/// Whether an accessor is one of AccessOnHost.
template <class Accessor>
inline constexpr bool is_on_host = requires { typename Accessor::OnHost; };

KOKKOS_FORCEINLINE_FUNCTION void require_host()
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  a_span_of_host_memory_is_used_in_device_code();
#endif
}

} // namespace detail

/// The access rule Rule for elements in memory that the device cannot reach: the memory space
/// as part of the handle. A kernel on the device that uses such a span does not build. Spans of
/// an Array in such a space have this rule; where the host is the device there is none. Source:
/// S2 section III.C (a strong pointer type for a memory space).
template <class Rule>
struct AccessOnHost
{
  /// Bytes that `count` elements occupy, where the rule says it.
  static KOKKOS_FUNCTION constexpr auto bytes(index_t count)
    requires requires { Rule::bytes(count); }
  {
    return Rule::bytes(count);
  }

  template <class T>
  struct accessor : Rule::template accessor<T>
  {
    using OnHost = accessor;
    using Base = typename Rule::template accessor<T>;
    using offset_policy = std::conditional_t<std::is_same_v<typename Base::offset_policy, Base>,
                                             accessor, typename Base::offset_policy>;

    KOKKOS_DEFAULTED_FUNCTION accessor() = default;
    KOKKOS_FUNCTION constexpr accessor(Base const& base)
        : Base(base)
    {
    }
    /// From another accessor of host memory, as the rules' own convert.
    template <class Other>
      requires(!std::is_same_v<Other, accessor> && detail::is_on_host<Other> &&
               std::is_convertible_v<typename Other::Base, Base>)
    KOKKOS_FUNCTION constexpr accessor(Other const& other)
        : Base(static_cast<typename Other::Base const&>(other))
    {
    }

    KOKKOS_FUNCTION constexpr typename Base::reference access(typename Base::data_handle_type p,
                                                              std::size_t i) const
    {
      detail::require_host();
      return Base::access(p, i);
    }
    template <int W>
    static KOKKOS_FUNCTION auto load(typename Base::data_handle_type p, std::size_t i)
      requires requires { Base::template load<W>(p, i); }
    {
      detail::require_host();
      return Base::template load<W>(p, i);
    }
    template <int W, class Value>
    static KOKKOS_FUNCTION void store(typename Base::data_handle_type p, std::size_t i,
                                      Value const& value)
      requires requires { Base::template store<W>(p, i, value); }
    {
      detail::require_host();
      Base::template store<W>(p, i, value);
    }
  };
};

/// The access rule of spans of memory in Space.
template <class Rule, class Space>
using AccessIn = std::conditional_t<
    Kokkos::SpaceAccessibility<Device, typename Space::memory_space>::accessible, Rule,
    AccessOnHost<Rule>>;

} // namespace strata
