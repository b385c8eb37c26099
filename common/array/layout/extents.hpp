#pragma once

#include "require.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <limits>
#include <type_traits>
#include <utility>

namespace strata {

namespace detail {

/// `size` converted to Index; refused if Index cannot represent it.
template <class Index, class I>
KOKKOS_FUNCTION constexpr Index held(I size)
{
  auto const index = static_cast<Index>(size);
  if constexpr (std::is_integral_v<I>)
    require(
        static_cast<I>(index) == size && (index < 0) == (size < 0),
        "extents: the size %lld does not fit their index type of %d bytes; take a wider one",
        static_cast<long long>(size), static_cast<int>(sizeof(Index)));
  return index;
}

/// Stands for a number of elements or bytes that 64 bits cannot represent.
inline constexpr index_t uncountable = std::numeric_limits<index_t>::max();

/// a·b, or `uncountable` if that overflows or a factor is negative.
KOKKOS_FUNCTION constexpr index_t product(index_t a, index_t b)
{
  if (((a | b) >> 31) == 0)
    return a * b;
  return a < 0 || b < 0 || (a > 0 && b > uncountable / a) ? uncountable : a * b;
}

} // namespace detail

/// The sizes of a multi-index space, each static or `dyn`, with the type of its indices. Same
/// interface as std::extents, so that every mapping takes either. Only run-time sizes are
/// stored. Source: S2 section III; S3 "dimensions".
template <class Index, std::size_t... E>
class Extents
{
  static_assert(std::is_integral_v<Index> && !std::is_same_v<Index, bool>);

public:
  using index_type = Index;
  using size_type = std::make_unsigned_t<Index>;
  using rank_type = std::size_t;

  static KOKKOS_FUNCTION constexpr rank_type rank() noexcept { return sizeof...(E); }
  static KOKKOS_FUNCTION constexpr rank_type rank_dynamic() noexcept
  {
    return ((E == dyn ? 1 : 0) + ... + 0);
  }
  static KOKKOS_FUNCTION constexpr std::size_t static_extent(rank_type r) noexcept
  {
    std::size_t found = 1;
    rank_type at = 0;
    ((at++ == r ? void(found = E) : void()), ...);
    return found;
  }

  KOKKOS_DEFAULTED_FUNCTION constexpr Extents() = default;

  /// All sizes, or the run-time ones alone, in order. Refuses a size that contradicts a static
  /// one, or that Index cannot hold.
  template <class... I>
    requires(sizeof...(I) > 0 &&
             (sizeof...(I) == sizeof...(E) || sizeof...(I) == rank_dynamic()) &&
             (std::is_convertible_v<I, Index> && ...))
  KOKKOS_FUNCTION constexpr explicit Extents(I... sizes)
  {
    Index const given[] = {detail::held<Index>(sizes)...};
    rank_type slot = 0;
    for (rank_type r = 0; r < rank(); ++r)
      if (static_extent(r) == dyn) {
        dynamic_[slot] = given[sizeof...(I) == rank() ? r : slot];
        ++slot;
      } else if constexpr (sizeof...(I) == rank()) {
        require_static(r, static_cast<index_t>(given[r]));
      }
  }

  /// From extents of equal rank whose static sizes agree. Explicit if a run-time size becomes a
  /// static one; a different value is then refused.
  template <class Other, std::size_t... F>
    requires(sizeof...(F) == sizeof...(E) && ((E == dyn || F == dyn || E == F) && ...))
  KOKKOS_FUNCTION constexpr explicit(((E != dyn && F == dyn) || ...))
      Extents(Extents<Other, F...> const& other)
  {
    rank_type slot = 0;
    for (rank_type r = 0; r < rank(); ++r)
      if (static_extent(r) == dyn)
        dynamic_[slot++] = detail::held<Index>(other.extent(r));
      else
        require_static(r, static_cast<index_t>(other.extent(r)));
  }

  KOKKOS_FUNCTION constexpr Index extent(rank_type r) const noexcept
  {
    rank_type slot = 0;
    rank_type at = 0;
    Index found = 1;
    ((at++ == r ? void(found = E == dyn ? dynamic_[slot] : static_cast<Index>(E))
                : void(slot += E == dyn && at <= r ? 1 : 0)),
     ...);
    return found;
  }

  template <class Other, std::size_t... F>
  friend KOKKOS_FUNCTION constexpr bool operator==(Extents const& a,
                                                   Extents<Other, F...> const& b) noexcept
  {
    if constexpr (sizeof...(F) != sizeof...(E))
      return false;
    else {
      for (rank_type r = 0; r < rank(); ++r)
        if (static_cast<index_t>(a.extent(r)) != static_cast<index_t>(b.extent(r)))
          return false;
      return true;
    }
  }

private:
  static KOKKOS_FUNCTION constexpr void require_static(rank_type r, index_t given)
  {
    detail::require(given == static_cast<index_t>(static_extent(r)),
                    "extents: index %d has the static size %lld and was given %lld; give the "
                    "run-time sizes alone, or make that size dyn",
                    static_cast<int>(r), static_cast<long long>(static_extent(r)),
                    static_cast<long long>(given));
  }

  Index dynamic_[rank_dynamic() > 0 ? rank_dynamic() : 1] = {};
};

namespace detail {

template <class Index, class Ranks>
struct AllDynamic;
template <class Index, std::size_t... R>
struct AllDynamic<Index, std::index_sequence<R...>>
{
  using type = Extents<Index, (static_cast<void>(R), dyn)...>;
};

} // namespace detail

/// `Rank` run-time sizes: Dynamic<3> is Extents<index_t, dyn, dyn, dyn>.
template <std::size_t Rank, class Index = index_t>
using Dynamic = typename detail::AllDynamic<Index, std::make_index_sequence<Rank>>::type;
template <std::size_t Rank, class Index = index_t>
using dextents = Dynamic<Rank, Index>;

/// Run-time sizes as arguments: Extents(3, 4) is a Dynamic<2>.
template <class... I>
Extents(I...) -> Extents<index_t, (static_cast<void>(sizeof(I)), dyn)...>;

/// Number of multi-indices, in 64 bits for any index type; `uncountable` on overflow, which
/// every mapping refuses.
template <class Extents>
KOKKOS_FUNCTION constexpr index_t cardinality(Extents const& extents)
{
  index_t count = 1;
  for (std::size_t r = 0; r != Extents::rank(); ++r)
    count = detail::product(count, static_cast<index_t>(extents.extent(r)));
  return count;
}

} // namespace strata
