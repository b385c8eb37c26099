#pragma once

#include "contiguous.hpp"
#include "stride.hpp"

#include <cstddef>
#include <type_traits>

namespace strata {

namespace detail {

template <class Layout>
inline constexpr bool is_contiguous_layout =
    std::is_same_v<Layout, LayoutRight> || std::is_same_v<Layout, LayoutLeft>;

template <class From, class To>
inline constexpr bool extents_convert =
    std::is_constructible_v<typename To::extents_type, typename From::extents_type const&>;

} // namespace detail

/// Whether a mapping From converts to To without a copy of the elements: equal rank, static
/// extents that agree, and
///   - the same layout,
///   - left to right or right to left, for rank 0 or 1,
///   - any strided layout to LayoutStride, or
///   - LayoutStride to left or right, if its strides are those of a contiguous array.
/// Extents and strides that are known only at run time are checked in every build. Source: S3,
/// "Assignment Rules".
template <class From, class To>
concept ConvertsTo =
    detail::extents_convert<From, To> &&
    (std::is_same_v<typename From::layout_type, typename To::layout_type> ||
     (From::extents_type::rank() <= 1 &&
      detail::is_contiguous_layout<typename From::layout_type> &&
      detail::is_contiguous_layout<typename To::layout_type>) ||
     (From::is_always_strided() && std::is_same_v<typename To::layout_type, LayoutStride>) ||
     (std::is_same_v<typename From::layout_type, LayoutStride> &&
      detail::is_contiguous_layout<typename To::layout_type>));

/// `from` converted to To, with the same offsets. If a static extent or a stride differs, host
/// code throws std::invalid_argument; device code prints the message and aborts.
template <class To, class From>
  requires ConvertsTo<From, To>
KOKKOS_FUNCTION constexpr To converted(From const& from)
{
  using E = typename To::extents_type;
  if constexpr (std::is_same_v<From, To>) {
    return from;
  } else if constexpr (std::is_constructible_v<To, From const&>) {
    return To(from);
  } else {
    To const to(E(from.extents()));
    if constexpr (std::is_same_v<typename From::layout_type, LayoutStride> &&
                  !std::is_same_v<typename To::layout_type, LayoutStride>)
      for (std::size_t r = 0; r < E::rank(); ++r)
        detail::require(from.extents().extent(r) <= 1 || static_cast<index_t>(from.stride(r)) ==
                                                             static_cast<index_t>(to.stride(r)),
                        "a span with the stride %lld of index %d is not contiguous: that "
                        "would be %lld; keep it in a span of LayoutStride, or copy it",
                        static_cast<long long>(from.stride(r)), static_cast<int>(r),
                        static_cast<long long>(to.stride(r)));
    return to;
  }
}

} // namespace strata
