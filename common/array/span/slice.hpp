#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strata {

/// Keeps all of an index in subspan. An enumerator, because device code can use it, but not a
/// host object.
enum class FullExtent : char
{
  full_extent
};
inline constexpr FullExtent full_extent = FullExtent::full_extent;

/// Keeps [begin, end) of an index in subspan.
struct Range
{
  index_t begin;
  index_t end;
};

/// Keeps every stride-th index of [offset, offset + extent) in subspan. Members are integers,
/// or std::integral_constants, which make the extent of the result static.
template <class Offset, class Extent, class Stride>
struct strided_slice
{
  Offset offset;
  Extent extent;
  Stride stride;
};

namespace detail {

template <class Slice>
inline constexpr bool is_constant = requires { requires Slice::value == Slice{}(); };

/// An integer, or a constant of a type of its own: drops the index.
template <class Slice>
inline constexpr bool is_index =
    std::is_integral_v<Slice> || (is_constant<Slice> && std::is_convertible_v<Slice, index_t>);

template <class Slice>
inline constexpr bool is_full =
    std::is_same_v<Slice, FullExtent> ||
    std::is_same_v<Slice, std::remove_cvref_t<decltype(Kokkos::ALL)>>;

template <class Slice>
inline constexpr bool is_strided_slice = false;
template <class Offset, class Extent, class Stride>
inline constexpr bool is_strided_slice<strided_slice<Offset, Extent, Stride>> = true;

/// std::pair, Kokkos::pair and their like, of integers.
template <class Slice>
concept IntegerPair = requires(Slice slice) {
  requires is_index<std::remove_cvref_t<decltype(slice.first)>>;
  requires is_index<std::remove_cvref_t<decltype(slice.second)>>;
};

/// std::tuple and std::array of two integers.
template <class Slice>
concept IntegerTuple = requires {
  requires std::tuple_size<Slice>::value == 2;
  requires is_index<std::tuple_element_t<0, Slice>>;
  requires is_index<std::tuple_element_t<1, Slice>>;
} && !IntegerPair<Slice>;

/// Neighbouring indices: an interval, or all.
template <class Slice>
inline constexpr bool is_unit_stride =
    is_full<Slice> || std::is_same_v<Slice, Range> || IntegerPair<Slice> || IntegerTuple<Slice>;

template <class Slice>
inline constexpr bool is_slice =
    is_index<Slice> || is_unit_stride<Slice> || is_strided_slice<Slice>;

/// The indices that a slice selects: `count` of them from `begin` on, `stride` apart; `end` is
/// one past the last index that the slice may select.
struct Taken
{
  index_t begin;
  index_t end;
  index_t count;
  index_t stride;
};

KOKKOS_FUNCTION constexpr Taken taken_between(index_t begin, index_t end)
{
  return {begin, end, end - begin, 1};
}
KOKKOS_FUNCTION constexpr index_t steps(index_t extent, index_t stride)
{
  return extent > 0 ? 1 + (extent - 1) / stride : 0;
}

template <class Slice>
KOKKOS_FUNCTION constexpr Taken taken(Slice const& slice, [[maybe_unused]] index_t extent)
{
  if constexpr (is_index<Slice>) {
    auto const i = static_cast<index_t>(slice);
    return taken_between(i, i + 1);
  } else if constexpr (is_full<Slice>) {
    return taken_between(0, extent);
  } else if constexpr (std::is_same_v<Slice, Range>) {
    return taken_between(slice.begin, slice.end);
  } else if constexpr (IntegerPair<Slice>) {
    return taken_between(static_cast<index_t>(slice.first), static_cast<index_t>(slice.second));
  } else if constexpr (IntegerTuple<Slice>) {
    return taken_between(static_cast<index_t>(std::get<0>(slice)),
                         static_cast<index_t>(std::get<1>(slice)));
  } else {
    auto const begin = static_cast<index_t>(slice.offset);
    auto const length = static_cast<index_t>(slice.extent);
    auto const stride = static_cast<index_t>(slice.stride);
    return {begin, begin + length, steps(length, stride), length > 0 ? stride : 1};
  }
}

/// The extent of a kept index that is known to the compiler, else dyn.
template <class Slice, std::size_t Whole>
constexpr std::size_t static_taken()
{
  constexpr auto between = [](auto first, auto second) {
    if constexpr (is_constant<decltype(first)> && is_constant<decltype(second)>)
      return static_cast<std::size_t>(second.value - first.value);
    else
      return dyn;
  };
  if constexpr (is_full<Slice>) {
    return Whole;
  } else if constexpr (IntegerPair<Slice>) {
    return between(decltype(Slice::first){}, decltype(Slice::second){});
  } else if constexpr (IntegerTuple<Slice>) {
    return between(std::tuple_element_t<0, Slice>{}, std::tuple_element_t<1, Slice>{});
  } else if constexpr (is_strided_slice<Slice>) {
    using Extent = decltype(Slice::extent);
    using Stride = decltype(Slice::stride);
    if constexpr (is_constant<Extent>) {
      if constexpr (Extent::value == 0)
        return 0;
      else if constexpr (is_constant<Stride>)
        return static_cast<std::size_t>(steps(Extent::value, Stride::value));
      else
        return dyn;
    } else {
      return dyn;
    }
  } else {
    return dyn;
  }
}

} // namespace detail

} // namespace strata
