#pragma once

#include "../../base/kokkos.hpp"
#include "../layout/convert.hpp"

#include <type_traits>

namespace strata::detail {

/// An accessor that has nothing to store is made where it is needed.
template <class Accessor>
inline constexpr bool is_stateless =
    std::is_empty_v<Accessor> && std::is_default_constructible_v<Accessor>;

/// What a span stores of its accessor.
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

/// Whether a span of T by the rule Access may become one of U by Other without being asked
/// for: the same rule without state may add const, another one where its accessor converts.
template <class T, class Access, class U, class Other>
inline constexpr bool access_converts =
    std::is_convertible_v<T (*)[], U (*)[]> &&
    ((std::is_same_v<Access, Other> && is_stateless<typename Other::template accessor<U>>) ||
     std::is_convertible_v<typename Access::template accessor<T>,
                           typename Other::template accessor<U>>);

// Why a span does not become another, in the compiler's message.
struct ItWouldDropConst
{
};
struct ItsElementOrAccessRuleDoesNotConvert
{
};
struct ItsRankExtentsOrLayoutDoNotConvert
{
};
/// void where a From may become a To.
template <class From, class To>
using Refusal = std::conditional_t<
    std::is_const_v<typename From::element_type> && !std::is_const_v<typename To::element_type>,
    ItWouldDropConst,
    std::conditional_t<
        !access_converts<typename From::element_type, typename From::access_type,
                         typename To::element_type, typename To::access_type>,
        ItsElementOrAccessRuleDoesNotConvert,
        std::conditional_t<!ConvertsTo<typename From::mapping_type, typename To::mapping_type>,
                           ItsRankExtentsOrLayoutDoNotConvert, void>>>;

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
