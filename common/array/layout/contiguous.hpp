#pragma once

#include "mapping.hpp"

#include <cstddef>

namespace strata {

/// Last index fastest (C order). Offset of (i,j,k): (i·J + j)·K + k.
struct LayoutRight
{
  static constexpr std::size_t contiguous = dyn; ///< neighbours in memory along one index
  template <class E>
  class mapping : public MappingBase<LayoutRight, E>
  {
  public:
    using typename MappingBase<LayoutRight, E>::index_type;
    using MappingBase<LayoutRight, E>::MappingBase;
    KOKKOS_FUNCTION constexpr mapping(E const& extents)
        : MappingBase<LayoutRight, E>(extents)
    {
    }
    KOKKOS_FUNCTION constexpr mapping(E const& extents, detail::Counted counted)
        : MappingBase<LayoutRight, E>(extents, counted)
    {
    }

    template <class... I>
      requires(sizeof...(I) == E::rank())
    KOKKOS_FUNCTION constexpr index_type operator()(I... i) const noexcept
    {
      index_type offset = 0;
      std::size_t r = 0;
      ((offset = offset * this->extents_.extent(r++) + static_cast<index_type>(i)), ...);
      return offset;
    }
    KOKKOS_FUNCTION constexpr index_type stride(std::size_t r) const noexcept
    {
      index_type product = 1;
      for (std::size_t q = r + 1; q < E::rank(); ++q)
        product *= this->extents_.extent(q);
      return product;
    }
    static KOKKOS_FUNCTION constexpr index_t span_size(E const& extents)
    {
      return cardinality(extents);
    }
    static KOKKOS_FUNCTION constexpr bool is_always_exhaustive() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_always_strided() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_exhaustive() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_strided() noexcept { return true; }

    friend KOKKOS_FUNCTION constexpr bool operator==(mapping const& a,
                                                     mapping const& b) noexcept
    {
      return a.extents_ == b.extents_;
    }
  };
};

/// First index fastest (Fortran order). Offset of (i,j,k): i + I·(j + J·k).
struct LayoutLeft
{
  static constexpr std::size_t contiguous = dyn;
  template <class E>
  class mapping : public MappingBase<LayoutLeft, E>
  {
  public:
    using typename MappingBase<LayoutLeft, E>::index_type;
    using MappingBase<LayoutLeft, E>::MappingBase;
    KOKKOS_FUNCTION constexpr mapping(E const& extents)
        : MappingBase<LayoutLeft, E>(extents)
    {
    }
    KOKKOS_FUNCTION constexpr mapping(E const& extents, detail::Counted counted)
        : MappingBase<LayoutLeft, E>(extents, counted)
    {
    }

    template <class... I>
      requires(sizeof...(I) == E::rank())
    KOKKOS_FUNCTION constexpr index_type operator()(I... i) const noexcept
    {
      return offset_from<0>(static_cast<index_type>(i)...);
    }
    KOKKOS_FUNCTION constexpr index_type stride(std::size_t r) const noexcept
    {
      index_type product = 1;
      for (std::size_t q = 0; q < r; ++q)
        product *= this->extents_.extent(q);
      return product;
    }
    static KOKKOS_FUNCTION constexpr index_t span_size(E const& extents)
    {
      return cardinality(extents);
    }
    static KOKKOS_FUNCTION constexpr bool is_always_exhaustive() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_always_strided() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_exhaustive() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_strided() noexcept { return true; }

    friend KOKKOS_FUNCTION constexpr bool operator==(mapping const& a,
                                                     mapping const& b) noexcept
    {
      return a.extents_ == b.extents_;
    }

  private:
    template <std::size_t R>
    KOKKOS_FUNCTION constexpr index_type offset_from() const noexcept
    {
      return 0;
    }
    template <std::size_t R, class... I>
    KOKKOS_FUNCTION constexpr index_type offset_from(index_type i, I... rest) const noexcept
    {
      if constexpr (sizeof...(I) == 0)
        return i;
      else
        return i + this->extents_.extent(R) * offset_from<R + 1>(rest...);
    }
  };
};

} // namespace strata
