#pragma once

// Parts of a cube in each way: the plane of one outermost index, and the row of one middle
// index in it. Order says which index is the outermost: the first for LayoutRight, the last for
// LayoutLeft.

#include "ways.hpp"

#include "array/span/subspan.hpp"

namespace strata::bench {

/// By hand: a pointer to the part's first element; the cube knows the strides.
template <class A, class T>
struct RawPlane
{
  A whole;
  T* p;
};
template <int Along, class A, class T>
struct RawRow
{
  A whole;
  T* p;
  KOKKOS_FUNCTION T& operator()(index_t inner) const
  {
    return p[inner * whole.template stride<Along>()];
  }
};

template <class Order, class T, class Layout, std::size_t... N>
KOKKOS_FUNCTION auto plane_of(Raw<T, Layout, N...> const& a, index_t outer)
{
  constexpr int outermost = is_right<Order> ? 0 : 2;
  return RawPlane<Raw<T, Layout, N...>, T>{a, a.p + outer * a.template stride<outermost>()};
}
template <class Order, class A, class T>
KOKKOS_FUNCTION auto row_of(RawPlane<A, T> const& plane, index_t mid)
{
  return RawRow<is_right<Order> ? 2 : 0, A, T>{
      plane.whole, plane.p + mid * plane.whole.template stride<1>()};
}

template <class Order, class T, class E, class Layout>
KOKKOS_FUNCTION auto plane_of(Span<T, E, Layout> const& a, index_t outer)
{
  if constexpr (is_right<Order>)
    return subspan(a, outer, full_extent, full_extent);
  else
    return subspan(a, full_extent, full_extent, outer);
}
template <class Order, class T, class E, class Layout>
KOKKOS_FUNCTION auto row_of(Span<T, E, Layout> const& plane, index_t mid)
{
  if constexpr (is_right<Order>)
    return subspan(plane, mid, full_extent);
  else
    return subspan(plane, full_extent, mid);
}

template <class Order, class T, class... P>
KOKKOS_FUNCTION auto plane_of(Kokkos::View<T, P...> const& a, index_t outer)
{
  if constexpr (is_right<Order>)
    return Kokkos::subview(a, outer, Kokkos::ALL, Kokkos::ALL);
  else
    return Kokkos::subview(a, Kokkos::ALL, Kokkos::ALL, outer);
}
template <class Order, class T, class... P>
KOKKOS_FUNCTION auto row_of(Kokkos::View<T, P...> const& plane, index_t mid)
{
  if constexpr (is_right<Order>)
    return Kokkos::subview(plane, mid, Kokkos::ALL);
  else
    return Kokkos::subview(plane, Kokkos::ALL, mid);
}

#if defined(STRATA_BENCH_SUBMDSPAN)
template <class M>
KOKKOS_FUNCTION Called<M> called(M const& m)
{
  return {m};
}
template <class Order, class M>
KOKKOS_FUNCTION auto plane_of(Called<M> const& a, index_t outer)
{
  using All = md::full_extent_t;
  if constexpr (is_right<Order>)
    return called(md::submdspan(a.m, outer, All{}, All{}));
  else
    return called(md::submdspan(a.m, All{}, All{}, outer));
}
template <class Order, class M>
KOKKOS_FUNCTION auto row_of(Called<M> const& plane, index_t mid)
{
  using All = md::full_extent_t;
  if constexpr (is_right<Order>)
    return called(md::submdspan(plane.m, mid, All{}));
  else
    return called(md::submdspan(plane.m, All{}, mid));
}
#endif

} // namespace strata::bench
