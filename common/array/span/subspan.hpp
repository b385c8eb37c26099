#pragma once

#include "slice.hpp"
#include "span.hpp"

#include <array>
#include <type_traits>
#include <utility>

namespace strata {

namespace detail {

/// The access rule of a span that begins at any element of one with the rule Access.
template <class Access>
struct AccessOffset
{
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
                                        [[maybe_unused]] Taken const& taken,
                                        [[maybe_unused]] index_t extent)
{
  if constexpr (bounds_checked) {
    if (taken.begin >= 0 && taken.begin <= taken.end && taken.end <= extent && taken.stride > 0)
      return;
    stop("array '%s': slice [%lld, %lld) of index %zu is not within [0, %lld)", label,
         static_cast<long long>(taken.begin), static_cast<long long>(taken.end), r,
         static_cast<long long>(extent));
  }
}

/// Whether a slice of a LayoutRight span is LayoutRight again: integers, then at most one
/// interval, then full extents; for LayoutLeft in reverse order.
template <class... Slice>
constexpr bool stays_contiguous(bool from_last)
{
  constexpr std::size_t rank = sizeof...(Slice);
  if constexpr (rank == 0) {
    return true;
  } else {
    bool const index[] = {is_index<Slice>...};
    bool const full[] = {is_full<Slice>...};
    bool const unit[] = {is_unit_stride<Slice>...};
    auto const at = [&](std::size_t k) { return from_last ? rank - 1 - k : k; };
    std::size_t k = 0;
    while (k < rank && full[at(k)])
      ++k;
    if (k < rank && unit[at(k)])
      ++k;
    while (k < rank && index[at(k)])
      ++k;
    return k == rank;
  }
}

template <class Layout, class... Slice>
using PartLayout = std::conditional_t<
    (std::is_same_v<Layout, LayoutRight> && stays_contiguous<Slice...>(true)) ||
        (std::is_same_v<Layout, LayoutLeft> && stays_contiguous<Slice...>(false)),
    Layout, LayoutStride>;

/// The extents that slices of extents E keep.
template <class E, class... Slice>
struct PartExtents
{
  static constexpr std::size_t rank = ((is_index<Slice> ? 0 : 1) + ... + 0);

private:
  struct Kept
  {
    std::array<std::size_t, rank + 1> sizes, indices;
  };
  static constexpr auto kept = [] {
    Kept all{};
    std::size_t at = 0;
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      ((is_index<Slice> ? void()
                        : void((all.sizes[at] = static_taken<Slice, E::static_extent(R)>(),
                                all.indices[at++] = R))),
       ...);
    }(std::index_sequence_for<Slice...>{});
    return all;
  }();
  template <std::size_t... K>
  static Extents<typename E::index_type, kept.sizes[K]...> extents(std::index_sequence<K...>);

public:
  using type = decltype(extents(std::make_index_sequence<rank>{}));
  /// The index of E that the part's index K is.
  template <std::size_t K>
  static constexpr std::size_t index = kept.indices[K];
};

/// What slices take of a strided mapping: R are its indices and K the part's. Inlined, and
/// without loops, so that sizes and strides that the compiler knows stay known.
template <class Mapping, std::size_t... R, std::size_t... K, class... Slice>
KOKKOS_FORCEINLINE_FUNCTION auto part_of(Mapping const& whole, char const* label,
                                         std::index_sequence<R...>, std::index_sequence<K...>,
                                         Slice const&... slices)
{
  using E = typename Mapping::extents_type;
  using index_type = typename E::index_type;
  using Kept = PartExtents<E, Slice...>;
  using Part = typename Kept::type;
  using Layout = PartLayout<typename Mapping::layout_type, Slice...>;
  using PartMapping = typename Layout::template mapping<Part>;
  struct Result
  {
    PartMapping mapping;
    std::size_t offset;
  };

  Taken const parts[sizeof...(R) + 1] = {
      taken(slices, static_cast<index_t>(whole.extents().extent(R)))...};
  (check_slice(label, R, parts[R], static_cast<index_t>(whole.extents().extent(R))), ...);
  auto const extents = [&] {
    if constexpr (sizeof...(K) == 0)
      return Part{};
    else
      return Part(static_cast<index_type>(parts[Kept::template index<K>].count)...);
  }();
  // An interval without elements may begin after the last one: with other slices that would be
  // beyond the memory.
  bool const is_behind = ((!is_index<Slice> && !is_full<Slice> &&
                           parts[R].begin == static_cast<index_t>(whole.extents().extent(R))) ||
                          ... || false);
  auto const offset =
      static_cast<std::size_t>(is_behind ? whole.required_span_size()
                                         : whole(static_cast<index_type>(parts[R].begin)...));
  if constexpr (std::is_same_v<Layout, LayoutStride>) {
    Kokkos::Array<index_type, sizeof...(K)> const strides{static_cast<index_type>(
        whole.stride(Kept::template index<K>) * parts[Kept::template index<K>].stride)...};
    return Result{PartMapping(extents, strides, Counted()), offset};
  } else {
    return Result{PartMapping(extents, Counted()), offset};
  }
}

/// A mapping that says itself what slices take of it: `submapping(slices...)`, with members
/// `mapping` and `offset`, as the standard's submdspan_mapping.
template <class Mapping, class... Slice>
concept MapsParts = requires(Mapping const& mapping, Slice const&... slices) {
  mapping.submapping(slices...).mapping;
  mapping.submapping(slices...).offset;
};

/// Why a span has no parts.
struct ALayoutWithoutStridesNeedsSubmapping
{
};

} // namespace detail

/// Part of a span: the same elements, no copy. One slice per index:
///   an integer                drops the index
///   full_extent, Kokkos::ALL  all of it
///   a pair, a Range, or a     [first, second)
///   tuple or array of two
///   strided_slice             every stride-th of an interval
/// Static extents stay static where an index is kept whole or cut by integral constants.
/// LayoutRight stays LayoutRight if only leading indices are dropped and only the first kept
/// index is cut; LayoutLeft likewise from the other end; everything else becomes LayoutStride.
/// A layout without strides supports slices if its mapping has `submapping(slices...)`. The
/// part has the accessor's offset_policy. Debug builds stop at a slice outside its index. For
/// tuples, device code calls std::get, for which nvcc needs --expt-relaxed-constexpr. Source:
/// S2 section III.D (subspan), S3 (subview), C++26 [mdspan.sub].
template <class T, class E, class Layout, class Access, class... Slice>
  requires(sizeof...(Slice) == E::rank() &&
           (Layout::template mapping<E>::is_always_strided() ||
            detail::MapsParts<typename Layout::template mapping<E>, Slice...>))
KOKKOS_FORCEINLINE_FUNCTION auto subspan(Span<T, E, Layout, Access> const& span,
                                         Slice... slices)
{
  static_assert((detail::is_slice<Slice> && ...),
                "a slice of a subspan is an integer, strata::full_extent, a strata::Range, a "
                "pair, tuple or array of two integers [first, second), or a strided_slice");
  using Mapping = typename Layout::template mapping<E>;
  auto const part = [&] {
    if constexpr (detail::MapsParts<Mapping, Slice...>)
      return span.mapping().submapping(slices...);
    else
      return detail::part_of(span.mapping(), span.label(), std::index_sequence_for<Slice...>{},
                             std::make_index_sequence<detail::PartExtents<E, Slice...>::rank>{},
                             slices...);
  }();
  using PartMapping = decltype(part.mapping);
  using Offset = detail::PartAccess<T, Access>;
  using Part =
      Span<T, typename PartMapping::extents_type, typename PartMapping::layout_type, Offset>;
  return Part(span.accessor().offset(span.data_handle(), part.offset), part.mapping,
              detail::accessor_converted<typename Part::accessor_type>(span.accessor()),
              span.label());
}

template <class T, class E, class Layout, class Access, class... Slice,
          class Reason = detail::ALayoutWithoutStridesNeedsSubmapping>
  requires(sizeof...(Slice) == E::rank() &&
           !(Layout::template mapping<E>::is_always_strided() ||
             detail::MapsParts<typename Layout::template mapping<E>, Slice...>))
void subspan(Span<T, E, Layout, Access> const&, Slice...) = delete;

} // namespace strata
