#pragma once

#include "span.hpp"

#include <array>
#include <type_traits>

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

template <class Slice>
KOKKOS_FUNCTION constexpr index_t slice_begin(Slice const& slice)
{
  if constexpr (drops_index<Slice>)
    return slice;
  else if constexpr (std::is_same_v<std::remove_cvref_t<Slice>, Range>)
    return slice.begin;
  else
    return 0;
}

template <class Slice>
KOKKOS_FUNCTION constexpr index_t slice_size(Slice const& slice, index_t extent)
{
  if constexpr (std::is_same_v<std::remove_cvref_t<Slice>, Range>)
    return slice.end - slice.begin;
  else
    return extent;
}

} // namespace detail

/// Part of a strided span: one slice per index, an integer (drops the index), `all` or a
/// Range. Same elements, no copy; the result has run-time sizes and strides.
/// Source: S2 section III.D (subspan), S3 (subview).
template <class T, class E, class Layout, class Access, class... Slice>
  requires(sizeof...(Slice) == E::rank() && Layout::template mapping<E>::is_always_strided())
KOKKOS_FUNCTION auto subspan(Span<T, E, Layout, Access> const& span, Slice... slices)
{
  using index_type = typename E::index_type;
  constexpr std::size_t rank = ((detail::drops_index<Slice> ? 0 : 1) + ... + 0);
  using Part = Dynamic<rank, index_type>;

  index_type sizes[rank > 0 ? rank : 1] = {};
  Kokkos::Array<index_type, rank> strides{};
  std::size_t kept = 0;
  std::size_t r = 0;
  auto const keep = [&](auto const& slice) {
    if constexpr (!detail::drops_index<decltype(slice)>) {
      sizes[kept] = static_cast<index_type>(detail::slice_size(slice, span.extent(r)));
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
  std::size_t const offset =
      static_cast<std::size_t>(span.mapping()(detail::slice_begin(slices)...));
  using Accessor = typename Span<T, E, Layout, Access>::accessor_type;
  return Span<T, Part, LayoutStride, Access>(
      Accessor{}.offset(span.data_handle(), offset),
      typename LayoutStride::template mapping<Part>(part, strides), span.label());
}

} // namespace strata
