#pragma once

#include "mapping.hpp"

namespace strata {

/// The triangle of a symmetric matrix that is stored.
enum class Triangle
{
  lower,
  upper
};

/// A symmetric matrix, half of it stored, packed: (i,j) and (j,i) are one element. The lower
/// triangle is stored row by row (offset of i ≥ j: i(i+1)/2 + j), the upper one column by
/// column, at the same offsets with i and j exchanged, as BLAS' packed `U`. Both extents are
/// equal. Not unique: what scales or fills must visit `codomain`. Source: S2 section III.B.
template <Triangle Stored = Triangle::lower>
struct LayoutSymmetric
{
  static constexpr std::size_t contiguous = dyn; ///< along rows (columns) up to the diagonal
  template <class E>
  class mapping : public MappingBase<LayoutSymmetric, E>
  {
    static_assert(E::rank() == 2, "a symmetric matrix has two indices");
    static_assert(E::static_extent(0) == dyn || E::static_extent(1) == dyn ||
                      E::static_extent(0) == E::static_extent(1),
                  "a symmetric matrix has as many rows as columns");

  public:
    using typename MappingBase<LayoutSymmetric, E>::index_type;
    using MappingBase<LayoutSymmetric, E>::MappingBase;
    KOKKOS_FUNCTION constexpr mapping(E const& extents)
        : MappingBase<LayoutSymmetric, E>(extents)
    {
      detail::require(
          extents.extent(0) == extents.extent(1),
          "LayoutSymmetric: %lld x %lld elements are no symmetric matrix, which has "
          "as many rows as columns",
          static_cast<long long>(extents.extent(0)), static_cast<long long>(extents.extent(1)));
    }

    template <class I, class J>
    KOKKOS_FUNCTION constexpr index_type operator()(I i, J j) const noexcept
    {
      auto const a = static_cast<index_type>(i);
      auto const b = static_cast<index_type>(j);
      return a < b ? triangular(b) + a : triangular(a) + b;
    }
    /// Whether (i,j) lies in the stored triangle.
    template <class I, class J>
    KOKKOS_FUNCTION constexpr bool stores(I i, J j) const noexcept
    {
      auto const a = static_cast<index_type>(i);
      auto const b = static_cast<index_type>(j);
      return Stored == Triangle::lower ? a >= b : a <= b;
    }
    static KOKKOS_FUNCTION constexpr index_t span_size(E const& extents)
    {
      auto const n = static_cast<index_t>(extents.extent(0));
      return n % 2 == 0 ? detail::product(n / 2, n + 1) : detail::product(n / 2 + 1, n);
    }
    static KOKKOS_FUNCTION constexpr bool is_always_unique() noexcept { return false; }
    static KOKKOS_FUNCTION constexpr bool is_always_exhaustive() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_always_strided() noexcept { return false; }
    KOKKOS_FUNCTION constexpr bool is_unique() const noexcept
    {
      return this->extents_.extent(0) < 2;
    }
    static KOKKOS_FUNCTION constexpr bool is_exhaustive() noexcept { return true; }
    static KOKKOS_FUNCTION constexpr bool is_strided() noexcept { return false; }

    friend KOKKOS_FUNCTION constexpr bool operator==(mapping const& a,
                                                     mapping const& b) noexcept
    {
      return a.extents_ == b.extents_;
    }

  private:
    static KOKKOS_FUNCTION constexpr index_type triangular(index_type n) noexcept
    {
      // One of the factors is even; halving it first keeps the product in range.
      return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
    }
  };
};

} // namespace strata
