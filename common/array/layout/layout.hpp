#pragma once

#include "extents.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace strata {

namespace detail {

/// Says that an index type counts a mapping's elements, as it does those of any part of a span.
struct Counted
{
};

} // namespace detail

/// What all mappings share: extents and the standard's member types and comparisons.
/// A layout is a policy with `mapping<Extents>`, a small value that turns a multi-index into
/// an offset; mappings meet the standard's layout mapping requirements (S2 section III.B).
/// A mapping's span_size(extents) is its required_span_size in 64 bits. What the index type
/// does not count is refused as the mapping is made: offsets are computed in that type.
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
    detail::require(span_size <= most,
                    "a mapping of extents needs %lld elements, more than their index type "
                    "counts (%lld); take a wider one, as Extents<strata::index_t, ...>",
                    static_cast<long long>(span_size), static_cast<long long>(most));
  }

  KOKKOS_FUNCTION constexpr MappingBase(E const& extents, detail::Counted)
      : extents_(extents)
  {
  }

  E extents_;

private:
  static constexpr index_t most =
      sizeof(index_type) < sizeof(index_t)
          ? static_cast<index_t>(std::numeric_limits<index_type>::max())
          : detail::uncountable - 1;
};

/// Last index fastest (C order). Offset of (i,j,k): (i·J + j)·K + k.
struct LayoutRight
{
  static constexpr std::size_t contiguous = dyn; ///< neighbours in memory along one index
  static std::string name() { return "right"; }
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
  static std::string name() { return "left"; }
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

    template <class... I>
      requires(sizeof...(I) == E::rank())
    KOKKOS_FUNCTION constexpr index_type operator()(I... i) const noexcept
    {
      index_type offset = 0;
      index_type stride = 1;
      std::size_t r = 0;
      ((offset += static_cast<index_type>(i) * stride, stride *= this->extents_.extent(r++)),
       ...);
      return offset;
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
  };
};

/// A stride per index, given at run time: padded arrays and parts of arrays.
struct LayoutStride
{
  static constexpr std::size_t contiguous = dyn; ///< where the index's stride is 1
  static std::string name() { return "stride"; }
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

/// Tiles of W along the first index, an array of structures of arrays: offset of (i,j,k) is
/// (((i/W)·J + j)·K + k)·W + i%W. The last tile is padded to W. One tile's data of all other
/// indices lies together, so a warp or a vector touches one page where LayoutLeft touches J·K.
template <std::size_t W>
struct LayoutTiled
{
  static constexpr std::size_t contiguous = W;
  static std::string name() { return "tiled" + std::to_string(W); }
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

/// The device's own order for one work item per first index: neighbouring work items on a
/// GPU read neighbouring addresses, one host thread reads along a row. Source: S1 section III.
using LayoutDefault = std::conditional_t<device_is_host, LayoutRight, LayoutLeft>;

/// Layout types with their deck names: names and cases both come from this list.
template <class... Layout>
struct Layouts
{
  static std::vector<std::string> names() { return {Layout::name()...}; }
  template <class F>
  static void for_each(F&& f)
  {
    (f.template operator()<Layout>(), ...);
  }
};

} // namespace strata
