#pragma once

#include "array.hpp"

#include "../layout/require.hpp"
#include "../span/span.hpp"

#include <string>
#include <type_traits>

namespace strata {

namespace detail {

/// The sizes of a multi-index space whose rank is known at run time.
struct Sizes
{
  static constexpr int most = 7; ///< indices

  index_t size[most] = {};
  int rank = 0;

  KOKKOS_DEFAULTED_FUNCTION constexpr Sizes() = default;
  template <class... I>
  KOKKOS_FUNCTION constexpr explicit Sizes(I... sizes)
      : size{static_cast<index_t>(sizes)...}
      , rank(sizeof...(I))
  {
    static_assert(sizeof...(I) <= most, "arrays of any rank have up to seven indices");
  }

  template <std::size_t Rank>
  KOKKOS_FUNCTION constexpr Dynamic<Rank> extents() const
  {
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      return Dynamic<Rank>(size[R]...);
    }(std::make_index_sequence<Rank>{});
  }
  /// Number of elements; uncountable where 64 bits do not count them.
  KOKKOS_FUNCTION constexpr index_t count() const
  {
    index_t product = rank > 0 ? 1 : 0;
    for (int r = 0; r < rank; ++r)
      product = detail::product(product, size[r]);
    return product;
  }
};

} // namespace detail

/// A span whose rank, 1 to 7, is known at run time, and whose indices begin at First; over an
/// AnyRankArray or a pointer. An access with k indices computes what it does in a span of rank
/// k; GCC 13 unrolls fewer loops around it (results/xeon-16/arraybench.md).
/// Debug builds check the number of indices and each of them. Source: S5 (ViewCArray,
/// ViewFArray, ViewCMatrix, ViewFMatrix).
template <class T, class Layout, int First, class Access = AccessDefault>
class AnyRankSpan : public detail::Labelled
{
public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  KOKKOS_DEFAULTED_FUNCTION AnyRankSpan() = default;
  /// Elements at p; sizes of 1 to 7 indices.
  template <class... I>
    requires detail::are_sizes<I...>
  KOKKOS_FUNCTION explicit AnyRankSpan(T* p, I... sizes)
      : AnyRankSpan(p, detail::Sizes(sizes...))
  {
  }
  KOKKOS_FUNCTION AnyRankSpan(T* p, detail::Sizes const& sizes, char const* label = "")
      : Labelled(label)
      , p_(p)
      , sizes_(sizes)
  {
  }
  /// Adds const.
  template <class U>
    requires std::is_convertible_v<U (*)[], T (*)[]>
  KOKKOS_FUNCTION AnyRankSpan(AnyRankSpan<U, Layout, First, Access> const& other)
      : AnyRankSpan(other.pointer(), other.sizes(), other.label())
  {
  }

  /// Number of indices.
  KOKKOS_FUNCTION int order() const { return sizes_.rank; }
  /// Size of an index; indices are counted from First, too.
  KOKKOS_FUNCTION index_t dims(int index) const { return sizes_.size[index - First]; }
  /// Number of elements.
  KOKKOS_FUNCTION index_t size() const { return sizes_.count(); }
  KOKKOS_FUNCTION T* pointer() const { return p_; }
  KOKKOS_FUNCTION detail::Sizes const& sizes() const { return sizes_; }

  /// The same elements as a span of this rank, whose indices begin at 0.
  template <std::size_t Rank>
  KOKKOS_FUNCTION Span<T, Dynamic<Rank>, Layout, Access> span() const
  {
    using Mapping = typename Layout::template mapping<Dynamic<Rank>>;
    return {p_, Mapping(sizes_.extents<Rank>(), detail::Counted()), label()};
  }

  template <class... I>
    requires(sizeof...(I) >= 1 && sizeof...(I) <= detail::Sizes::most)
  KOKKOS_FUNCTION T& operator()(I... i) const
  {
    if constexpr (bounds_checked) {
      check_rank(sizeof...(I));
      int r = 0;
      (check_index(static_cast<index_t>(i), r++), ...);
    }
    return span<sizeof...(I)>()((static_cast<index_t>(i) - First)...);
  }

private:
  KOKKOS_FUNCTION void check_rank(std::size_t given) const
  {
    if (static_cast<int>(given) == order())
      return;
    detail::stop("array '%s': it has %d indices and was given %d", label(), order(),
                 static_cast<int>(given));
  }
  KOKKOS_FUNCTION void check_index(index_t i, int r) const
  {
    index_t const end = First + sizes_.size[r];
    if (i >= First && i < end)
      return;
    detail::stop("array '%s': index %d is %lld, outside [%d, %lld)", label(), r + First,
                 static_cast<long long>(i), First, static_cast<long long>(end));
  }

  T* p_ = nullptr;
  detail::Sizes sizes_;
};

/// An owning array whose rank, 1 to 7, is known at run time. Copies are shallow. Kernels get
/// `write()` or `read()`; `array<Rank>()` is the same memory as an Array, for copies, mirrors,
/// launches and subspans. Source: S5 (CArray, FArray, CMatrix, FMatrix).
template <class T, class Layout, int First, class Space = HostSpace>
class AnyRankArray
{
  using Access = AccessIn<AccessDefault, Space>;

public:
  using value_type = T;

  /// No elements, no memory.
  AnyRankArray() = default;
  /// Sizes of 1 to 7 indices.
  template <class... I>
    requires detail::are_sizes<I...>
  explicit AnyRankArray(I... sizes)
      : AnyRankArray(std::string("strata::AnyRankArray"), sizes...)
  {
  }
  template <class... I>
    requires detail::are_sizes<I...>
  explicit AnyRankArray(std::string const& label, I... sizes)
      : memory_(Array<T, Dynamic<sizeof...(I)>, Layout, Space>(label, sizes...).memory())
      , sizes_(sizes...)
  {
  }

  [[nodiscard]] std::string label() const { return memory_.label(); }
  [[nodiscard]] int order() const { return sizes_.rank; }
  [[nodiscard]] index_t dims(int index) const { return sizes_.size[index - First]; }
  [[nodiscard]] index_t size() const { return sizes_.count(); }
  [[nodiscard]] T* pointer() const { return reinterpret_cast<T*>(memory_.data()); }

  [[nodiscard]] AnyRankSpan<T, Layout, First, Access> write() const
  {
    if constexpr (bounds_checked)
      return {pointer(), sizes_, memory_.label().c_str()};
    else
      return {pointer(), sizes_};
  }
  [[nodiscard]] AnyRankSpan<T const, Layout, First, Access> read() const { return write(); }

  /// The same memory as an array of this rank, whose indices begin at 0; throws where it has
  /// another rank.
  template <std::size_t Rank>
  [[nodiscard]] Array<T, Dynamic<Rank>, Layout, Space> array() const
  {
    if (static_cast<int>(Rank) != order())
      detail::refuse("array '%s' has %d indices, not %d", memory_.label().c_str(), order(),
                     static_cast<int>(Rank));
    return {memory_,
            typename Layout::template mapping<Dynamic<Rank>>(sizes_.template extents<Rank>())};
  }

  /// An element, for host code.
  template <class... I>
    requires(bool(Kokkos::SpaceAccessibility<HostSpace, Space>::accessible))
  [[nodiscard]] T& operator()(I... i) const
  {
    return write()(i...);
  }
  /// Gives all elements one value.
  void set_values(T value) const
  {
    Kokkos::deep_copy(Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(
                          pointer(), static_cast<std::size_t>(size())),
                      value);
  }

private:
  Memory<Space> memory_ = null_view<Memory<Space>>();
  detail::Sizes sizes_;
};

// MATAR's names: C for the last index fastest, F for the first; arrays begin at 0, matrices
// at 1. They lie in the host's memory unless told otherwise: CArray<T, DeviceSpace> is what
// MATAR calls CArrayKokkos.
template <class T, class Space = HostSpace>
using CArray = AnyRankArray<T, LayoutRight, 0, Space>;
template <class T, class Space = HostSpace>
using FArray = AnyRankArray<T, LayoutLeft, 0, Space>;
template <class T, class Space = HostSpace>
using CMatrix = AnyRankArray<T, LayoutRight, 1, Space>;
template <class T, class Space = HostSpace>
using FMatrix = AnyRankArray<T, LayoutLeft, 1, Space>;
template <class T>
using ViewCArray = AnyRankSpan<T, LayoutRight, 0>;
template <class T>
using ViewFArray = AnyRankSpan<T, LayoutLeft, 0>;
template <class T>
using ViewCMatrix = AnyRankSpan<T, LayoutRight, 1>;
template <class T>
using ViewFMatrix = AnyRankSpan<T, LayoutLeft, 1>;

} // namespace strata
