#pragma once

// The ways in which a kernel sees an array of three indices. Each has operator()(i, j, k) and
// extent(r), and a size that is not `dyn` is a constant to each of them.

#include "array/dense/any_rank.hpp"
#include "array/span/span.hpp"

#include <cstddef>
#include <type_traits>

#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan) && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
namespace strata::bench::md {
using namespace std;
}
#define STRATA_BENCH_MDSPAN
#if defined(__cpp_lib_submdspan)
#define STRATA_BENCH_SUBMDSPAN
#endif
#elif __has_include(<mdspan/mdspan.hpp>)
#include <mdspan/mdspan.hpp>
namespace strata::bench::md {
using namespace MDSPAN_IMPL_STANDARD_NAMESPACE;
}
#define STRATA_BENCH_MDSPAN
#define STRATA_BENCH_SUBMDSPAN
#endif

namespace strata::bench {

template <class Layout>
inline constexpr bool is_right = std::is_same_v<Layout, LayoutRight>;

template <class Layout>
std::string order_name()
{
  return is_right<Layout> ? "right" : "left";
}

/// Indexed by hand.
template <class T, class Layout, std::size_t X, std::size_t Y, std::size_t Z>
struct Raw
{
  T* p;
  index_t x, y, z;

  template <int R>
  KOKKOS_FUNCTION index_t size() const
  {
    constexpr std::size_t known = R == 0 ? X : R == 1 ? Y : Z;
    if constexpr (known != dyn)
      return static_cast<index_t>(known);
    else
      return R == 0 ? x : R == 1 ? y : z;
  }
  KOKKOS_FUNCTION index_t extent(int r) const
  {
    return r == 0 ? size<0>() : r == 1 ? size<1>() : size<2>();
  }
  /// Elements from one index to the next.
  template <int R>
  KOKKOS_FUNCTION index_t stride() const
  {
    if constexpr (is_right<Layout>)
      return R == 2 ? 1 : R == 1 ? size<2>() : size<1>() * size<2>();
    else
      return R == 0 ? 1 : R == 1 ? size<0>() : size<0>() * size<1>();
  }
  KOKKOS_FUNCTION T& operator()(index_t i, index_t j, index_t k) const
  {
    if constexpr (is_right<Layout>)
      return p[(i * size<1>() + j) * size<2>() + k];
    else
      return p[i + size<0>() * (j + size<1>() * k)];
  }
};

struct RawWay
{
  static constexpr char const* name = "raw";
  static constexpr bool has_parts = true;
  template <class T, class Layout, class Space, std::size_t... N>
  static auto see(T* p, index_t x, index_t y, index_t z)
  {
    return Raw<T, Layout, N...>{p, x, y, z};
  }
};

struct SpanWay
{
  static constexpr char const* name = "span";
  static constexpr bool has_parts = true;
  template <class T, class Layout, class Space, std::size_t... N>
  static auto see(T* p, index_t x, index_t y, index_t z)
  {
    return Span<T, Extents<index_t, N...>, Layout>(p, x, y, z);
  }
};

/// T***, T*[Y][Z] or T[X][Y][Z].
template <class T, std::size_t X, std::size_t Y, std::size_t Z>
using ViewData = std::conditional_t<
    X != dyn, T[X == dyn ? 1 : X][Y == dyn ? 1 : Y][Z == dyn ? 1 : Z],
    std::conditional_t<Y != dyn, T * [Y == dyn ? 1 : Y][Z == dyn ? 1 : Z], T***>>;

struct ViewWay
{
  static constexpr char const* name = "View";
  static constexpr bool has_parts = true;
  template <class T, class Layout, class Space, std::size_t X, std::size_t Y, std::size_t Z>
  static auto see(T* p, index_t x, index_t y, index_t z)
  {
    using Order = std::conditional_t<is_right<Layout>, Kokkos::LayoutRight, Kokkos::LayoutLeft>;
    using View = Kokkos::View<ViewData<T, X, Y, Z>, Order, Space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    if constexpr (X != dyn)
      return View(p);
    else if constexpr (Y != dyn)
      return View(p, x);
    else
      return View(p, x, y, z);
  }
  template <class T, class Space>
  static auto see_line(T* p, index_t n)
  {
    using View = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return View(p, static_cast<std::size_t>(n));
  }
};

#if defined(STRATA_BENCH_MDSPAN)
/// The call operator, which the standard's mdspan lacks.
template <class M>
struct Called
{
  M m;

  KOKKOS_FUNCTION index_t extent(int r) const { return static_cast<index_t>(m.extent(r)); }
  template <class... I>
  KOKKOS_FUNCTION decltype(auto) operator()(I... i) const
  {
#if defined(__cpp_multidimensional_subscript)
    return m[i...];
#else
    return m(i...);
#endif
  }
};

struct MdspanWay
{
  static constexpr char const* name = "mdspan";
#if defined(STRATA_BENCH_SUBMDSPAN)
  static constexpr bool has_parts = true;
#else
  static constexpr bool has_parts = false;
#endif
  template <class T, class Layout, class Space, std::size_t... N>
  static auto see(T* p, index_t x, index_t y, index_t z)
  {
    using E = md::extents<index_t, N...>;
    using Order = std::conditional_t<is_right<Layout>, md::layout_right, md::layout_left>;
    using M = md::mdspan<T, E, Order>;
    return Called<M>{M(p, E(x, y, z))};
  }
  template <class T, class Space>
  static auto see_line(T* p, index_t n)
  {
    using M = md::mdspan<T, md::extents<index_t, dyn>>;
    return Called<M>{M(p, n)};
  }
};
#endif

/// An AnyRankSpan, asked for its sizes as the others are, and for elements from 0.
template <class A, int First>
struct FromZero
{
  A a;

  KOKKOS_FUNCTION index_t extent(int r) const { return a.dims(r + First); }
  KOKKOS_FUNCTION decltype(auto) operator()(index_t i, index_t j, index_t k) const
  {
    return a(i + First, j + First, k + First);
  }
};

/// S5's views: ViewCArray and ViewFArray count from 0, ViewCMatrix and ViewFMatrix from 1.
template <int First>
struct AnyRankWay
{
  static constexpr char const* name = First == 0 ? "any_rank" : "from_one";
  template <class T, class Layout, class Space, std::size_t... N>
  static auto see(T* p, index_t x, index_t y, index_t z)
  {
    using A = AnyRankSpan<T, Layout, First>;
    return FromZero<A, First>{A(p, x, y, z)};
  }
};

/// Whether kernels on a GPU get an mdspan as it is. nvcc 13 compiles members that are empty and
/// [[no_unique_address]] with an address of their own for the GPU and without one for the host:
/// an mdspan of 8 or 32 bytes is read as one of 16 or 56.
#if defined(KOKKOS_ENABLE_CUDA)
inline constexpr bool gpu_reads_mdspan = false;
#else
inline constexpr bool gpu_reads_mdspan = true;
#endif

/// Calls f(way) for each that Device can have.
template <class Device, class F>
void each_way(F const& f)
{
  f(RawWay{});
  f(SpanWay{});
  f(ViewWay{});
#if defined(STRATA_BENCH_MDSPAN)
  if constexpr (!Device::is_gpu || gpu_reads_mdspan)
    f(MdspanWay{});
#endif
}

} // namespace strata::bench
