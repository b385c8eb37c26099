#pragma once

#include "span.hpp"

#include <cstdio>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strata {

/// Keeps an index whole in subspan. An enumerator, which device code may name, as it may not
/// name a host's object.
enum class All : char
{
  all
};
inline constexpr All all = All::all;

/// Keeps [begin, end) of an index in subspan.
struct Range
{
  index_t begin;
  index_t end;
};

namespace detail {

template <class Slice>
inline constexpr bool drops_index = std::is_integral_v<std::remove_cvref_t<Slice>>;

/// std::pair, Kokkos::pair and their like, of integers.
template <class Slice>
concept IntegerPair = requires(Slice slice) {
  requires std::is_integral_v<std::remove_cvref_t<decltype(slice.first)>>;
  requires std::is_integral_v<std::remove_cvref_t<decltype(slice.second)>>;
};

/// std::tuple and std::array of two integers.
template <class Slice>
concept IntegerTuple = requires {
  requires std::tuple_size<Slice>::value == 2;
  requires std::is_integral_v<std::tuple_element_t<0, Slice>>;
  requires std::is_integral_v<std::tuple_element_t<1, Slice>>;
};

template <class Slice>
inline constexpr bool is_slice =
    drops_index<Slice> || std::is_same_v<Slice, All> || std::is_same_v<Slice, Range> ||
    IntegerPair<Slice> || IntegerTuple<Slice>;

/// The part that a slice takes of an index with this extent.
template <class Slice>
KOKKOS_FUNCTION constexpr Range taken(Slice const& slice, [[maybe_unused]] index_t extent)
{
  if constexpr (drops_index<Slice>) {
    auto const i = static_cast<index_t>(slice);
    return {i, i + 1};
  } else if constexpr (std::is_same_v<Slice, Range>) {
    return slice;
  } else if constexpr (IntegerPair<Slice>) {
    return {static_cast<index_t>(slice.first), static_cast<index_t>(slice.second)};
  } else if constexpr (IntegerTuple<Slice>) {
    return {static_cast<index_t>(std::get<0>(slice)), static_cast<index_t>(std::get<1>(slice))};
  } else {
    return {0, extent};
  }
}

/// The access rule of a span that begins at any element of one with the rule Access.
template <class Access>
struct AccessOffset
{
  static std::string name() { return Access::name(); }
  template <class T>
  using accessor = typename Access::template accessor<T>::offset_policy;
};
template <class T, class Access, class Accessor = typename Access::template accessor<T>>
using PartAccess =
    std::conditional_t<std::is_same_v<typename Accessor::offset_policy, Accessor>, Access,
                       AccessOffset<Access>>;

/// In debug builds, stops at a slice that is not within its index.
KOKKOS_FUNCTION inline void check_slice([[maybe_unused]] char const* label,
                                        [[maybe_unused]] std::size_t r,
                                        [[maybe_unused]] Range const& range,
                                        [[maybe_unused]] index_t extent)
{
  if constexpr (bounds_checked) {
    if (range.begin >= 0 && range.begin <= range.end && range.end <= extent)
      return;
    printf("array '%s': slice [%lld, %lld) of index %zu is not within [0, %lld)\n", label,
           static_cast<long long>(range.begin), static_cast<long long>(range.end), r,
           static_cast<long long>(extent));
    Kokkos::abort("slice out of bounds");
  }
}

} // namespace detail

/// Part of a strided span: one slice per index, an integer (drops the index), `all`, a Range,
/// or a pair, tuple or array of two integers, [first, second). In device code std::get needs
/// a compiler that runs constexpr functions there. Same elements, no copy; the result has
/// run-time sizes and strides and the accessor's offset policy.
/// Source: S2 section III.D (subspan), S3 (subview).
template <class T, class E, class Layout, class Access, class... Slice>
  requires(sizeof...(Slice) == E::rank() && Layout::template mapping<E>::is_always_strided())
KOKKOS_FUNCTION auto subspan(Span<T, E, Layout, Access> const& span, Slice... slices)
{
  static_assert((detail::is_slice<Slice> && ...),
                "a slice of a subspan is an integer, strata::all, a strata::Range or a pair, "
                "tuple or array of two integers [first, second)");
  using index_type = typename E::index_type;
  constexpr std::size_t rank = ((detail::drops_index<Slice> ? 0 : 1) + ... + 0);
  using Part = Dynamic<rank, index_type>;

  index_type begins[E::rank() > 0 ? E::rank() : 1] = {};
  index_type sizes[rank > 0 ? rank : 1] = {};
  Kokkos::Array<index_type, rank> strides{};
  std::size_t kept = 0;
  std::size_t r = 0;
  auto const keep = [&](auto const& slice) {
    auto const range = detail::taken(slice, static_cast<index_t>(span.extent(r)));
    detail::check_slice(span.label(), r, range, static_cast<index_t>(span.extent(r)));
    begins[r] = static_cast<index_type>(range.begin);
    if constexpr (!detail::drops_index<decltype(slice)>) {
      sizes[kept] = static_cast<index_type>(range.end - range.begin);
      strides[kept] = span.mapping().stride(r);
      ++kept;
    }
    ++r;
  };
  (keep(slices), ...);

  auto const part = [&]<std::size_t... R>(std::index_sequence<R...>) {
    if constexpr (rank == 0)
      return Part{};
    else
      return Part(sizes[R]...);
  }(std::make_index_sequence<rank>{});
  auto const offset = [&]<std::size_t... R>(std::index_sequence<R...>) {
    return static_cast<std::size_t>(span.mapping()(begins[R]...));
  }(std::make_index_sequence<E::rank()>{});
  using Accessor = typename Span<T, E, Layout, Access>::accessor_type;
  return Span<T, Part, LayoutStride, detail::PartAccess<T, Access>>(
      Accessor{}.offset(span.data_handle(), offset),
      typename LayoutStride::template mapping<Part>(part, strides, detail::Counted()),
      span.label());
}

} // namespace strata
