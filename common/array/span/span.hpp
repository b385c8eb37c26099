#pragma once

#include "accessing.hpp"
#include "labelled.hpp"

#include "../../base/kokkos.hpp"
#include "../access/access.hpp"
#include "../layout/convert.hpp"
#include "../layout/extents.hpp"
#include "../layout/layout.hpp"
#include "../layout/require.hpp"

#include <type_traits>
#include <utility>

namespace strata {

namespace detail {

template <class I>
inline constexpr int index_width = 0; // an ordinary index
template <int W>
inline constexpr int index_width<PackIndex<W>> = W;
template <int W>
inline constexpr int index_width<LeadingIndex<W>> = W;

/// Whether packs of `width` lie within each `contiguous` elements.
KOKKOS_FUNCTION constexpr bool fits_together(std::size_t contiguous, int width)
{
  return width <= 1 || contiguous == dyn || contiguous % static_cast<std::size_t>(width) == 0;
}

template <class I>
KOKKOS_FUNCTION constexpr auto first_index(I i)
{
  if constexpr (index_width<I> == 0)
    return i;
  else
    return i.first;
}

template <class I>
inline constexpr bool is_leading = false;
template <int W>
inline constexpr bool is_leading<LeadingIndex<W>> = true;

/// The index that a LeadingIndex prefetches; any other one as it is.
template <class I>
KOKKOS_FUNCTION constexpr auto index_ahead(I i)
{
  if constexpr (is_leading<I>)
    return i.first + elements_ahead;
  else
    return first_index(i);
}

template <class... I>
inline constexpr bool are_sizes = sizeof...(I) > 0 && (std::is_integral_v<I> && ...);

/// Whether arguments I are the sizes of extents E, or the run-time ones among them.
template <class E, class... I>
concept AreSizesOf = (std::is_integral_v<I> && ...) && std::is_constructible_v<E, I...> &&
                     (sizeof...(I) > 0 || E::rank_dynamic() == 0);

} // namespace detail

/// A kernel's view of an array: handle, mapping and accessor; owns nothing. Trivially copyable.
/// a(i, j, ...) is an element; with one PackIndex among the indices, at the index that is
/// contiguous in this layout, W elements as a Pack; a LeadingIndex also prefetches the pack
/// that begins `elements_ahead` elements further on. Source: S2 (mdspan), S3 (unmanaged View).
template <class T, class E, class Layout = LayoutDefault, class Access = AccessDefault>
class Span : public detail::Labelled,
             public detail::Accessing<typename Access::template accessor<T>>
{
  using Accessing = detail::Accessing<typename Access::template accessor<T>>;
  static_assert(LayoutMapping<typename Layout::template mapping<E>>,
                "a span's layout has a mapping<Extents> that is a strata::LayoutMapping");
  static_assert(ElementAccessor<typename Access::template accessor<T>, T>,
                "a span's access rule has an accessor<T> that is a strata::ElementAccessor");

public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using extents_type = E;
  using index_type = typename E::index_type;
  using layout_type = Layout;
  using access_type = Access;
  using mapping_type = typename Layout::template mapping<E>;
  using accessor_type = typename Access::template accessor<T>;
  using data_handle_type = typename accessor_type::data_handle_type;

  KOKKOS_DEFAULTED_FUNCTION Span() = default;
  KOKKOS_FUNCTION Span(data_handle_type p, mapping_type const& mapping, char const* label = "")
      : Labelled(label)
      , p_(p)
      , mapping_(mapping)
  {
  }
  /// With an accessor that has a state.
  KOKKOS_FUNCTION Span(data_handle_type p, mapping_type const& mapping,
                       accessor_type const& accessor, char const* label = "")
      : Labelled(label)
      , Accessing(accessor)
      , p_(p)
      , mapping_(mapping)
  {
  }
  /// Sizes as arguments: all, or the run-time ones alone, of which there may be none.
  template <class... I>
    requires detail::AreSizesOf<E, I...>
  KOKKOS_FUNCTION explicit Span(data_handle_type p, I... sizes)
      : Span(p, mapping_type(E(sizes...)))
  {
  }

  /// Converts implicitly: may add const, may change the access rule if its accessor converts
  /// (restrict can be dropped but not added; atomic is kept), and may change the mapping if
  /// that converts (layout/convert.hpp). A static extent or stride that differs throws; device
  /// code aborts.
  template <class U, class F, class OtherLayout, class OtherAccess>
    requires std::is_void_v<detail::Refusal<Span<U, F, OtherLayout, OtherAccess>, Span>>
  KOKKOS_FUNCTION Span(Span<U, F, OtherLayout, OtherAccess> const& other)
      : Labelled(other.label())
      , Accessing(detail::accessor_converted<accessor_type>(other.accessor()))
      , p_(other.data_handle())
      , mapping_(converted<mapping_type>(other.mapping()))
  {
  }
  template <class U, class F, class OtherLayout, class OtherAccess,
            class Reason = detail::Refusal<Span<U, F, OtherLayout, OtherAccess>, Span>>
    requires(!std::is_void_v<Reason>)
  Span(Span<U, F, OtherLayout, OtherAccess> const&, Reason = {}) = delete;

  static KOKKOS_FUNCTION constexpr std::size_t rank() { return E::rank(); }
  KOKKOS_FUNCTION constexpr E const& extents() const { return mapping_.extents(); }
  KOKKOS_FUNCTION constexpr index_type extent(std::size_t r) const
  {
    return extents().extent(r);
  }
  /// Elements in memory from one index to the next; of a strided layout.
  KOKKOS_FUNCTION constexpr index_type stride(std::size_t r) const
    requires(mapping_type::is_always_strided())
  {
    return mapping_.stride(r);
  }
  // Properties of the mapping, as std::mdspan has them (S2's is_contiguous is is_exhaustive).
  static KOKKOS_FUNCTION constexpr bool is_always_unique()
  {
    return mapping_type::is_always_unique();
  }
  static KOKKOS_FUNCTION constexpr bool is_always_exhaustive()
  {
    return mapping_type::is_always_exhaustive();
  }
  static KOKKOS_FUNCTION constexpr bool is_always_strided()
  {
    return mapping_type::is_always_strided();
  }
  KOKKOS_FUNCTION constexpr bool is_unique() const { return mapping_.is_unique(); }
  KOKKOS_FUNCTION constexpr bool is_exhaustive() const { return mapping_.is_exhaustive(); }
  KOKKOS_FUNCTION constexpr bool is_strided() const { return mapping_.is_strided(); }
  /// Number of index tuples; padding is not counted.
  KOKKOS_FUNCTION constexpr index_t size() const { return cardinality(extents()); }
  KOKKOS_FUNCTION mapping_type const& mapping() const { return mapping_; }
  KOKKOS_FUNCTION data_handle_type data_handle() const { return p_; }

  /// The same elements under another access rule.
  template <class Other>
  KOKKOS_FUNCTION Span<T, E, Layout, Other>
  with(typename Other::template accessor<T> const& accessor = {}) const
  {
    return Span<T, E, Layout, Other>(p_, mapping_, accessor, label());
  }

  template <class... I>
    requires(sizeof...(I) == E::rank())
  KOKKOS_FUNCTION decltype(auto) operator()(I... i) const
  {
    constexpr int width = (detail::index_width<I> + ... + 0);
    static_assert(detail::fits_together(detail::contiguous_run<Layout>, width),
                  "a pack must not reach past a tile");
    check(detail::first_index(i)...);
    auto const offset =
        static_cast<std::size_t>(mapping_(static_cast<index_type>(detail::first_index(i))...));
    if constexpr ((detail::is_leading<I> || ...))
      detail::fetch<accessor_type>(
          accessor_type::offset(p_, static_cast<std::size_t>(mapping_(
                                        static_cast<index_type>(detail::index_ahead(i))...))));
    if constexpr (width == 0)
      return this->accessor().access(p_, offset);
    else if constexpr (std::is_const_v<T>)
      return widened(accessor_type::template load<width>(p_, offset));
    else
      return PackReference<accessor_type, width>(p_, offset);
  }

private:
  template <class... I>
  KOKKOS_FUNCTION void check([[maybe_unused]] I... i) const
  {
    if constexpr (bounds_checked) {
      std::size_t r = 0;
      (check_one(static_cast<index_t>(i), r++), ...);
    }
  }
  KOKKOS_FUNCTION void check_one(index_t i, std::size_t r) const
  {
    if (i >= 0 && i < static_cast<index_t>(extent(r)))
      return;
    detail::stop("array '%s': index %zu is %lld, outside [0, %lld)", label(), r,
                 static_cast<long long>(i), static_cast<long long>(extent(r)));
  }

  data_handle_type p_ = {};
  mapping_type mapping_ = {};
};

/// Elements at p, last index fastest: sizes as arguments, extents, or a mapping of any layout.
template <class T, class... I>
  requires detail::are_sizes<I...>
Span(T*, I...) -> Span<T, Dynamic<sizeof...(I)>, LayoutRight>;
template <class T, class Index, std::size_t... E>
Span(T*, Extents<Index, E...> const&) -> Span<T, Extents<Index, E...>, LayoutRight>;
template <class T, class Mapping>
Span(T*, Mapping const&)
    -> Span<T, typename Mapping::extents_type, typename Mapping::layout_type>;

/// The stored elements of a span as a one-dimensional span, each once and in memory order,
/// padding included: the codomain of its mapping, of required_span_size elements.
template <class T, class E, class Layout, class Access>
KOKKOS_FUNCTION Span<T, Dynamic<1>, LayoutRight, Access>
codomain(Span<T, E, Layout, Access> const& span)
{
  using Flat = Span<T, Dynamic<1>, LayoutRight, Access>;
  return Flat(span.data_handle(),
              typename Flat::mapping_type(
                  Dynamic<1>(static_cast<index_t>(span.mapping().required_span_size()))),
              span.accessor(), span.label());
}

} // namespace strata
