#pragma once

#include "mapping.hpp"

#include <cstddef>

namespace strata {

/// Tiles of W along the first index (array of structures of arrays): the offset of (i,j,k) is
/// (((i/W)·J + j)·K + k)·W + i%W. The last tile is padded to W. A tile's data is contiguous: a
/// warp or vector register that reads all of (j,k) for W indices i touches one page, not the up
/// to J·K pages of LayoutLeft.
template <std::size_t W>
struct LayoutTiled
{
  static constexpr std::size_t contiguous = W;
  template <class E>
  class mapping : public MappingBase<LayoutTiled, E>
  {
    static_assert(E::rank() >= 1 && W >= 1);

  public:
    using typename MappingBase<LayoutTiled, E>::index_type;
    using MappingBase<LayoutTiled, E>::MappingBase;
    KOKKOS_FUNCTION constexpr mapping(E const& extents)
        : MappingBase<LayoutTiled, E>(extents)
    {
    }

    template <class First, class... I>
      requires(sizeof...(I) + 1 == E::rank())
    KOKKOS_FUNCTION constexpr index_type operator()(First first, I... i) const noexcept
    {
      constexpr auto w = static_cast<index_type>(W);
      // Unsigned, so that a power of two becomes a shift and a mask.
      auto const lead = static_cast<typename E::size_type>(first);
      index_type offset = static_cast<index_type>(lead / W);
      std::size_t r = 1;
      ((offset = offset * this->extents_.extent(r++) + static_cast<index_type>(i)), ...);
      return offset * w + static_cast<index_type>(lead % W);
    }
    static KOKKOS_FUNCTION constexpr index_t span_size(E const& extents)
    {
      constexpr auto w = static_cast<index_t>(W);
      auto const first = static_cast<index_t>(extents.extent(0));
      index_t size = detail::product(first / w + (first % w != 0 ? 1 : 0), w);
      for (std::size_t r = 1; r < E::rank(); ++r)
        size = detail::product(size, static_cast<index_t>(extents.extent(r)));
      return size;
    }
    static KOKKOS_FUNCTION constexpr bool is_always_exhaustive() noexcept { return false; }
    static KOKKOS_FUNCTION constexpr bool is_always_strided() noexcept { return false; }
    KOKKOS_FUNCTION constexpr bool is_exhaustive() const noexcept
    {
      return this->extents_.extent(0) % static_cast<index_type>(W) == 0 ||
             this->required_span_size() == 0;
    }
    static KOKKOS_FUNCTION constexpr bool is_strided() noexcept { return false; }

    friend KOKKOS_FUNCTION constexpr bool operator==(mapping const& a,
                                                     mapping const& b) noexcept
    {
      return a.extents_ == b.extents_;
    }
  };
};

} // namespace strata
