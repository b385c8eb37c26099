#pragma once

#include "../../base/kokkos.hpp"
#include "../access/access.hpp"
#include "../layout/extents.hpp"
#include "../layout/layout.hpp"

#include <cstdio>
#include <type_traits>

namespace strata {

/// True in debug builds: every element access checks its indices.
#if defined(STRATA_BOUNDS_CHECK)
inline constexpr bool bounds_checked = true;
#else
inline constexpr bool bounds_checked = false;
#endif

namespace detail {

template <class I>
inline constexpr int index_width = 0; // an ordinary index
template <int W>
inline constexpr int index_width<PackIndex<W>> = W;
template <int W>
inline constexpr int index_width<LeadingIndex<W>> = W;

/// Whether packs of `width` lie within each `contiguous` elements.
constexpr bool fits_together(std::size_t contiguous, int width)
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

/// The index that follows a LeadingIndex; any other one as it is.
template <class I>
KOKKOS_FUNCTION constexpr auto next_index(I i)
{
  if constexpr (is_leading<I>)
    return i.first + index_width<I>;
  else
    return first_index(i);
}

/// In debug builds the first characters of an array's label, for messages from kernels.
class Labelled
{
public:
#if defined(STRATA_BOUNDS_CHECK)
  KOKKOS_FUNCTION char const* label() const { return label_; }

protected:
  KOKKOS_DEFAULTED_FUNCTION Labelled() = default;
  KOKKOS_FUNCTION explicit Labelled(char const* label)
  {
    for (int at = 0; at + 1 < int(sizeof label_) && label[at] != '\0'; ++at)
      label_[at] = label[at];
  }

private:
  char label_[24] = {};
#else
  KOKKOS_FUNCTION char const* label() const { return ""; }

protected:
  KOKKOS_DEFAULTED_FUNCTION Labelled() = default;
  KOKKOS_FUNCTION explicit Labelled(char const*) {}
#endif
};

/// Whether a span of T by the rule Access may become one of U by Other without being asked
/// for: the same rule may add const, another one where its accessor converts.
template <class T, class Access, class U, class Other>
inline constexpr bool access_converts =
    std::is_convertible_v<T (*)[], U (*)[]> &&
    (std::is_same_v<Access, Other> ||
     std::is_convertible_v<typename Access::template accessor<T>,
                           typename Other::template accessor<U>>);

} // namespace detail

/// What a kernel sees of an array: handle, mapping and access rule; owns nothing. Trivially
/// copyable. Elements by multi-index; with one PackIndex among the indices (the one that is
/// contiguous in this layout) W elements as a Pack; with a LeadingIndex, asks for the next W
/// too. Source: S2 (mdspan), S3 (unmanaged View).
template <class T, class E, class Layout, class Access = AccessDefault>
class Span : public detail::Labelled
{
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

  /// Adds const to the elements, turns static extents into run-time ones, or takes another
  /// access rule, if that rule's accessor says that it may.
  template <class U, class F, class OtherAccess>
    requires(detail::access_converts<U, OtherAccess, T, Access> && std::is_convertible_v<F, E>)
  KOKKOS_FUNCTION Span(Span<U, F, Layout, OtherAccess> const& other)
      : Labelled(other.label())
      , p_(other.data_handle())
      , mapping_(converted(other.mapping()))
  {
  }

  static KOKKOS_FUNCTION constexpr std::size_t rank() { return E::rank(); }
  KOKKOS_FUNCTION constexpr E const& extents() const { return mapping_.extents(); }
  KOKKOS_FUNCTION constexpr index_type extent(std::size_t r) const
  {
    return extents().extent(r);
  }
  /// Number of index tuples; padding is not counted.
  KOKKOS_FUNCTION constexpr index_t size() const { return cardinality(extents()); }
  KOKKOS_FUNCTION mapping_type const& mapping() const { return mapping_; }
  KOKKOS_FUNCTION data_handle_type data_handle() const { return p_; }

  /// The same elements under another access rule.
  template <class Other>
  KOKKOS_FUNCTION Span<T, E, Layout, Other> with() const
  {
    return Span<T, E, Layout, Other>(p_, mapping_, label());
  }

  template <class... I>
    requires(sizeof...(I) == E::rank())
  KOKKOS_FUNCTION decltype(auto) operator()(I... i) const
  {
    constexpr int width = (detail::index_width<I> + ... + 0);
    static_assert(detail::fits_together(Layout::contiguous, width),
                  "a pack must not reach past a tile");
    check(detail::first_index(i)...);
    auto const offset =
        static_cast<std::size_t>(mapping_(static_cast<index_type>(detail::first_index(i))...));
    if constexpr ((detail::is_leading<I> || ...))
      detail::fetch<accessor_type>(
          accessor_type::offset(p_, static_cast<std::size_t>(mapping_(
                                        static_cast<index_type>(detail::next_index(i))...))));
    if constexpr (width == 0)
      return accessor_type{}.access(p_, offset);
    else if constexpr (std::is_const_v<T>)
      return accessor_type::template load<width>(p_, offset);
    else
      return PackReference<accessor_type, width>(p_, offset);
  }

private:
  template <class Mapping>
  static KOKKOS_FUNCTION mapping_type converted(Mapping const& other)
  {
    if constexpr (std::is_constructible_v<mapping_type, Mapping>)
      return mapping_type(other);
    else
      return mapping_type(E(other.extents()));
  }

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
    printf("array '%s': index %zu is %lld, outside [0, %lld)\n", label(), r,
           static_cast<long long>(i), static_cast<long long>(extent(r)));
    Kokkos::abort("index out of bounds");
  }

  data_handle_type p_ = {};
  mapping_type mapping_ = {};
};

/// The elements that a span stores, each once, in memory order (padding among them): its
/// mapping's codomain, with required_span_size elements.
template <class T, class E, class Layout, class Access>
KOKKOS_FUNCTION Span<T, Dynamic<1>, LayoutRight, Access>
codomain(Span<T, E, Layout, Access> const& span)
{
  using Flat = Span<T, Dynamic<1>, LayoutRight, Access>;
  return Flat(span.data_handle(),
              typename Flat::mapping_type(
                  Dynamic<1>(static_cast<index_t>(span.mapping().required_span_size()))),
              span.label());
}

} // namespace strata
