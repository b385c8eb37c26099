#pragma once

// The loops around the kernels of three indices. A kernel is `operator()(i, j, k)`, or with a
// reference to the sum behind, has extent(r), and `margin` indices at either end that it leaves
// out. On a processor a work item is one index of the outermost loop; on a GPU it is one pair
// of the inner two, neighbouring threads having neighbouring innermost indices.

#include "devices.hpp"
#include "ways.hpp"

namespace strata::bench {

/// In the order of a layout's memory, outermost index first.
template <class Layout>
struct Loops
{
  static constexpr int outermost = is_right<Layout> ? 0 : 2;
  static constexpr int innermost = 2 - outermost;

  template <class K>
  static KOKKOS_FUNCTION index_t end(K const& k, int r)
  {
    return static_cast<index_t>(k.extent(r)) - K::margin;
  }
  template <class K, class... Sum>
  static KOKKOS_FUNCTION void call(K const& k, index_t outer, index_t mid, index_t inner,
                                   Sum&... sum)
  {
    if constexpr (is_right<Layout>)
      k(outer, mid, inner, sum...);
    else
      k(inner, mid, outer, sum...);
  }
  /// One index of the outermost loop. The kernel and the sum are on the stack, where no store
  /// aliases them.
  template <class K>
  static KOKKOS_FUNCTION void visit_plane(K const& kernel, index_t outer)
  {
    K const k = kernel; // NOLINT(performance-unnecessary-copy-initialization)
    for (index_t mid = K::margin; mid < end(k, 1); ++mid)
      for (index_t inner = K::margin; inner < end(k, innermost); ++inner)
        call(k, outer, mid, inner);
  }
  /// Kernels that need more than single elements have a `plane` of their own.
  template <class K>
  static KOKKOS_FUNCTION int sum_plane(K const& kernel, index_t outer)
  {
    K const k = kernel; // NOLINT(performance-unnecessary-copy-initialization)
    if constexpr (requires { k.template plane<Layout>(outer); }) {
      return k.template plane<Layout>(outer);
    } else {
      int sum = 0;
      for (index_t mid = K::margin; mid < end(k, 1); ++mid)
        for (index_t inner = K::margin; inner < end(k, innermost); ++inner)
          call(k, outer, mid, inner, sum);
      return sum;
    }
  }
};

/// One index of the outermost loop.
template <class K, class Layout>
struct Plane
{
  K kernel;

  KOKKOS_FUNCTION void operator()(index_t outer) const
  {
    Loops<Layout>::visit_plane(kernel, outer);
  }
};
template <class K, class Layout>
struct SumPlane
{
  using value_type = int;
  K kernel;

  KOKKOS_FUNCTION void operator()(index_t outer, int& total) const
  {
    total += Loops<Layout>::sum_plane(kernel, outer);
  }
};

/// One pair of the inner two indices.
template <class K, class Layout>
struct Column
{
  using At = Loops<Layout>;
  K kernel;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const length = At::end(kernel, At::innermost) - K::margin;
    index_t const mid = K::margin + item / length;
    index_t const inner = K::margin + item % length;
    for (index_t outer = K::margin; outer < At::end(kernel, At::outermost); ++outer)
      At::call(kernel, outer, mid, inner);
  }
};
template <class K, class Layout>
struct SumColumn
{
  using value_type = int;
  using At = Loops<Layout>;
  K kernel;

  KOKKOS_FUNCTION void operator()(index_t item, int& total) const
  {
    index_t const length = At::end(kernel, At::innermost);
    int sum = 0;
    for (index_t outer = 0; outer < At::end(kernel, At::outermost); ++outer)
      At::call(kernel, outer, item / length, item % length, sum);
    total += sum;
  }
};

/// The kernel for all indices, the loops in the order of Layout's memory.
template <class Device, class Layout, class K>
void for_all(K const& k)
{
  using At = Loops<Layout>;
  constexpr index_t margin = K::margin;
  if constexpr (Device::is_gpu)
    Device::each(0, (At::end(k, 1) - margin) * (At::end(k, At::innermost) - margin),
                 Column<K, Layout>{k});
  else
    Device::each(margin, At::end(k, At::outermost), Plane<K, Layout>{k});
}
template <class Device, class Layout, class K>
void sum_all(K const& k, int* result)
{
  using At = Loops<Layout>;
  if constexpr (Device::is_gpu)
    Device::sum(0, At::end(k, 1) * At::end(k, At::innermost), SumColumn<K, Layout>{k}, result);
  else
    Device::sum(0, At::end(k, At::outermost), SumPlane<K, Layout>{k}, result);
}

} // namespace strata::bench
