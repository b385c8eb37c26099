#pragma once

#include "../../base/kokkos.hpp"
#include "../access/on_host.hpp"
#include "../layout/convert.hpp"

#include <type_traits>

namespace strata::detail {

/// A stateless accessor is default-constructed where it is needed.
template <class Accessor>
inline constexpr bool is_stateless =
    std::is_empty_v<Accessor> && std::is_default_constructible_v<Accessor>;

/// The accessor that a span stores; nothing if it is stateless.
template <class Accessor, bool = is_stateless<Accessor>>
class Accessing
{
public:
  static KOKKOS_FUNCTION constexpr Accessor accessor() { return Accessor{}; }

protected:
  KOKKOS_DEFAULTED_FUNCTION Accessing() = default;
  KOKKOS_FUNCTION explicit Accessing(Accessor const&) {}
};
template <class Accessor>
class Accessing<Accessor, false>
{
public:
  KOKKOS_FUNCTION constexpr Accessor const& accessor() const { return accessor_; }

protected:
  KOKKOS_DEFAULTED_FUNCTION Accessing() = default;
  KOKKOS_FUNCTION explicit Accessing(Accessor const& accessor)
      : accessor_(accessor)
  {
  }

private:
  Accessor accessor_;
};

/// Whether a span of host memory would become one that device code may use.
template <class T, class Access, class U, class Other>
inline constexpr bool leaves_host = is_on_host<typename Access::template accessor<T>> &&
                                    !is_on_host<typename Other::template accessor<U>>;

/// Whether a span of T by the rule Access converts implicitly to one of U by Other: const may
/// be added under the same stateless rule; another rule needs a convertible accessor.
template <class T, class Access, class U, class Other>
inline constexpr bool access_converts =
    std::is_convertible_v<T (*)[], U (*)[]> && !leaves_host<T, Access, U, Other> &&
    ((std::is_same_v<Access, Other> && is_stateless<typename Other::template accessor<U>>) ||
     std::is_convertible_v<typename Access::template accessor<T>,
                           typename Other::template accessor<U>>);

// Why a span or an array does not convert, as names that the compiler's message shows.
struct ItWouldDropConst
{
};
struct TheElementsAreOfAnotherType
{
};
struct ItIsInMemoryThatDeviceCodeCannotReach
{
};
/// Atomic access is kept, and restrict is asked for by write<AccessRestrict>() or with<>().
struct TheAccessRuleDoesNotConvert
{
};
struct TheyHaveAnotherNumberOfIndices
{
};
struct TheirStaticSizesDiffer
{
};
struct TheirLayoutsDifferSoCopyPermutes
{
};

template <class From, class To>
constexpr auto mapping_refusal()
{
  using F = typename From::extents_type;
  using T = typename To::extents_type;
  if constexpr (ConvertsTo<typename From::mapping_type, typename To::mapping_type>)
    return;
  else if constexpr (F::rank() != T::rank())
    return TheyHaveAnotherNumberOfIndices();
  else if constexpr (!std::is_constructible_v<T, F const&>)
    return TheirStaticSizesDiffer();
  else
    return TheirLayoutsDifferSoCopyPermutes();
}
template <class From, class To>
constexpr auto span_refusal()
{
  using F = typename From::element_type;
  using T = typename To::element_type;
  if constexpr (!std::is_same_v<std::remove_const_t<F>, std::remove_const_t<T>>)
    return TheElementsAreOfAnotherType();
  else if constexpr (std::is_const_v<F> && !std::is_const_v<T>)
    return ItWouldDropConst();
  else if constexpr (leaves_host<F, typename From::access_type, T, typename To::access_type>)
    return ItIsInMemoryThatDeviceCodeCannotReach();
  else if constexpr (!access_converts<F, typename From::access_type, T,
                                      typename To::access_type>)
    return TheAccessRuleDoesNotConvert();
  else
    return mapping_refusal<From, To>();
}
/// void where a span From may become a To.
template <class From, class To>
using Refusal = decltype(span_refusal<From, To>());

/// `accessor` as a To.
template <class To, class From>
KOKKOS_FUNCTION constexpr To accessor_converted(From const& accessor)
{
  if constexpr (is_stateless<To>)
    return To{};
  else
    return accessor;
}

} // namespace strata::detail
