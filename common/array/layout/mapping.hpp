#pragma once

#include "extents.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace strata {

namespace detail {

/// Tag of constructors that skip MappingBase's check of the number of elements: a part of a
/// span cannot have more elements than the span.
struct Counted
{
};

} // namespace detail

/// Requirements on a layout's mapping: the standard's layout mapping requirements (S2 section
/// III.B, Table I). A layout is a class with `mapping<Extents>`, a small value that turns a
/// multi-index into an offset below required_span_size(). Optional members:
///   mapping(extents)            lets Array construct it from sizes
///   stride(r)                   if is_always_strided(): for subspan and LayoutStride
///   submapping(slices...)       if not strided, for subspan: returns {mapping, offset}
///   stores(indices...)          if not unique: whether these indices, not equivalent ones, are
///                               those of the stored element
///   Layout::contiguous          contiguous elements along one index (dyn: all), over which
///                               a pack may extend; 1 if absent
template <class M>
concept LayoutMapping =
    std::is_trivially_copyable_v<M> && std::equality_comparable<M> && requires(M const& m) {
      typename M::layout_type;
      typename M::index_type;
      { m.extents() } -> std::convertible_to<typename M::extents_type>;
      { m.required_span_size() } -> std::convertible_to<typename M::index_type>;
      { M::is_always_unique() } -> std::same_as<bool>;
      { M::is_always_strided() } -> std::same_as<bool>;
    };

namespace detail {

template <class Layout>
inline constexpr std::size_t contiguous_run = 1;
template <class Layout>
  requires(Layout::contiguous > 0)
inline constexpr std::size_t contiguous_run<Layout> = Layout::contiguous;

} // namespace detail

/// Base of our mappings: extents, and the standard's member types and comparisons. A mapping's
/// span_size(extents) is its required_span_size in 64 bits. The constructor refuses extents
/// with more elements than the index type can count, because offsets are computed in that type.
template <class Layout, class E>
class MappingBase
{
public:
  using extents_type = E;
  using index_type = typename E::index_type;
  using size_type = typename E::size_type;
  using rank_type = typename E::rank_type;
  using layout_type = Layout;

  KOKKOS_DEFAULTED_FUNCTION constexpr MappingBase() = default;
  KOKKOS_FUNCTION constexpr explicit MappingBase(E const& extents)
      : MappingBase(extents, Layout::template mapping<E>::span_size(extents))
  {
    if constexpr (E::rank_dynamic() == 0)
      static_assert(Layout::template mapping<E>::span_size(E()) <= most,
                    "the index type of these extents does not count their elements");
  }

  KOKKOS_FUNCTION constexpr E const& extents() const noexcept { return extents_; }
  KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept
  {
    return static_cast<index_type>(Layout::template mapping<E>::span_size(extents_));
  }

  static KOKKOS_FUNCTION constexpr bool is_always_unique() noexcept { return true; }
  static KOKKOS_FUNCTION constexpr bool is_unique() noexcept { return true; }

protected:
  KOKKOS_FUNCTION constexpr MappingBase(E const& extents, index_t span_size)
      : extents_(extents)
  {
    if (span_size > most)
      refuse(extents, span_size);
  }

  KOKKOS_FUNCTION constexpr MappingBase(E const& extents, detail::Counted)
      : extents_(extents)
  {
  }

  E extents_;

private:
  static KOKKOS_FUNCTION constexpr void refuse(E const& extents, index_t span_size)
  {
    for (std::size_t r = 0; r < E::rank(); ++r)
      detail::require(static_cast<index_t>(extents.extent(r)) >= 0,
                      "extents: index %d has the size %lld, below 0", static_cast<int>(r),
                      static_cast<long long>(extents.extent(r)));
    detail::refuse("a mapping of extents needs %lld elements, more than their index type "
                   "counts (%lld); take a wider one, as Extents<strata::index_t, ...>",
                   static_cast<long long>(span_size), static_cast<long long>(most));
  }

  static constexpr index_t most =
      sizeof(index_type) < sizeof(index_t)
          ? static_cast<index_t>(std::numeric_limits<index_type>::max())
          : detail::uncountable - 1;
};

} // namespace strata
