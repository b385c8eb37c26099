#pragma once

#include "extents.hpp"

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace strata {

/// What all mappings share: extents and the standard's member types and comparisons.
/// A layout is a policy with `mapping<Extents>`, a small value that turns a multi-index into
/// an offset; mappings meet the standard's layout mapping requirements (S2 section III.B).
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
      : extents_(extents)
  {
  }

  KOKKOS_FUNCTION constexpr E const& extents() const noexcept { return extents_; }

  static KOKKOS_FUNCTION constexpr bool is_always_unique() noexcept { return true; }
  static KOKKOS_FUNCTION constexpr bool is_unique() noexcept { return true; }

protected:
  E extents_;
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
    KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept
    {
      return static_cast<index_type>(cardinality(this->extents_));
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
    KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept
    {
      return static_cast<index_type>(cardinality(this->extents_));
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
        : MappingBase<LayoutStride, E>(extents)
        , strides_(strides)
    {
    }
    /// From any strided mapping: same offsets.
    template <class Mapping>
      requires(Mapping::is_always_strided() && !std::is_same_v<Mapping, mapping>)
    KOKKOS_FUNCTION constexpr explicit mapping(Mapping const& other)
        : MappingBase<LayoutStride, E>(E(other.extents()))
    {
      for (std::size_t r = 0; r < E::rank(); ++r)
        strides_[r] = static_cast<index_type>(other.stride(r));
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
      index_type last = 1;
      for (std::size_t r = 0; r < E::rank(); ++r) {
        if (this->extents_.extent(r) == 0)
          return 0;
        last += (this->extents_.extent(r) - 1) * strides_[r];
      }
      return last;
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
    Kokkos::Array<index_type, E::rank()> strides_ = {};
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
    KOKKOS_FUNCTION constexpr index_type required_span_size() const noexcept
    {
      constexpr auto w = static_cast<index_type>(W);
      index_type size = (this->extents_.extent(0) + w - 1) / w * w;
      for (std::size_t r = 1; r < E::rank(); ++r)
        size *= this->extents_.extent(r);
      return size;
    }
    static KOKKOS_FUNCTION constexpr bool is_always_exhaustive() noexcept { return false; }
    static KOKKOS_FUNCTION constexpr bool is_always_strided() noexcept { return false; }
    KOKKOS_FUNCTION constexpr bool is_exhaustive() const noexcept
    {
      return this->extents_.extent(0) % static_cast<index_type>(W) == 0 ||
             required_span_size() == 0;
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
