#pragma once

#include "mapping.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace strata {

/// One run-time stride per index, for padded arrays and parts of arrays.
struct LayoutStride
{
  static constexpr std::size_t contiguous = dyn; ///< where the index's stride is 1
  template <class E>
  class mapping : public MappingBase<LayoutStride, E>
  {
  public:
    using typename MappingBase<LayoutStride, E>::index_type;

    KOKKOS_DEFAULTED_FUNCTION constexpr mapping() = default;
    KOKKOS_FUNCTION constexpr mapping(E const& extents,
                                      Kokkos::Array<index_type, E::rank()> const& strides)
        : MappingBase<LayoutStride, E>(extents, span_size(extents, strides))
        , strides_(strides)
    {
    }
    /// With strides as std::layout_stride takes them.
    template <class Stride>
      requires std::is_convertible_v<Stride, index_type>
    constexpr mapping(E const& extents, std::array<Stride, E::rank()> const& strides)
        : mapping(extents, held(strides))
    {
    }
    KOKKOS_FUNCTION constexpr mapping(E const& extents,
                                      Kokkos::Array<index_type, E::rank()> const& strides,
                                      detail::Counted counted)
        : MappingBase<LayoutStride, E>(extents, counted)
        , strides_(strides)
    {
    }
    /// From any strided mapping: same offsets.
    template <class Mapping>
      requires(Mapping::is_always_strided() && !std::is_same_v<Mapping, mapping>)
    KOKKOS_FUNCTION constexpr explicit mapping(Mapping const& other)
        : mapping(E(other.extents()), strides_of(other))
    {
    }

    template <class... I>
      requires(sizeof...(I) == E::rank())
    KOKKOS_FUNCTION constexpr index_type operator()(I... i) const noexcept
    {
      index_type offset = 0;
      std::size_t r = 0;
      ((offset += static_cast<index_type>(i) * strides_[r++]), ...);
      return offset;
    }
    KOKKOS_FUNCTION constexpr index_type stride(std::size_t r) const noexcept
    {
      return strides_[r];
    }
    KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept
    {
      return static_cast<index_type>(span_size(this->extents_, strides_));
    }
    static KOKKOS_FUNCTION constexpr bool is_always_exhaustive() noexcept { return false; }
    static KOKKOS_FUNCTION constexpr bool is_always_strided() noexcept { return true; }
    KOKKOS_FUNCTION constexpr bool is_exhaustive() const noexcept
    {
      return static_cast<index_t>(required_span_size()) == cardinality(this->extents_);
    }
    static KOKKOS_FUNCTION constexpr bool is_strided() noexcept { return true; }

    friend KOKKOS_FUNCTION constexpr bool operator==(mapping const& a,
                                                     mapping const& b) noexcept
    {
      if (!(a.extents_ == b.extents_))
        return false;
      for (std::size_t r = 0; r < E::rank(); ++r)
        if (a.strides_[r] != b.strides_[r])
          return false;
      return true;
    }

  private:
    using Strides = Kokkos::Array<index_type, E::rank()>;

    template <class Stride>
    static constexpr Strides held(std::array<Stride, E::rank()> const& given)
    {
      Strides strides{};
      for (std::size_t r = 0; r < E::rank(); ++r)
        strides[r] = detail::held<index_type>(given[r]);
      return strides;
    }
    template <class Mapping>
    static KOKKOS_FUNCTION constexpr Strides strides_of(Mapping const& other)
    {
      Strides strides{};
      for (std::size_t r = 0; r < E::rank(); ++r)
        strides[r] = detail::held<index_type>(other.stride(r));
      return strides;
    }
    static KOKKOS_FUNCTION constexpr index_t span_size(E const& extents, Strides const& strides)
    {
      index_t last = 0;
      for (std::size_t r = 0; r < E::rank(); ++r) {
        if (extents.extent(r) == 0)
          return 0;
        auto const reach = detail::product(static_cast<index_t>(extents.extent(r)) - 1,
                                           static_cast<index_t>(strides[r]));
        last = reach < detail::uncountable - last ? last + reach : detail::uncountable - 1;
      }
      return last + 1;
    }

    Strides strides_ = {};
  };
};

} // namespace strata
