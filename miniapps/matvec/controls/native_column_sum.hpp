#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// Sums of products for the hand-written dense CUDA kernels: of one row, or of two whose
// elements are one load of 16 bytes. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec::native {

/// Pairs of rows read each element once. A matrix that the cache does not hold is evicted
/// before x, which is to stay there.
template <bool Stays>
__device__ double2 load(double2 const* from)
{
  return Stays ? __ldg(from) : __ldcs(from);
}
/// Single rows begin anywhere in a sector of 32 bytes, the rest of which neighbours read.
template <bool>
__device__ double load(double const* from)
{
  return __ldg(from);
}

__device__ inline void add_product(double& sum, double element, double factor)
{
  sum += element * factor;
}
__device__ inline void add_product(double2& sum, double2 element, double factor)
{
  sum.x += element.x * factor;
  sum.y += element.y * factor;
}

/// *a·x[0] + a[stride]·x[1] + ..., of the terms first, first + step, ... below `end`, Unroll of
/// which are in flight.
template <int Unroll, bool Stays, class V>
__device__ V column_sum(V const* __restrict__ a, index_t stride, double const* __restrict__ x,
                        index_t first, index_t end, index_t step)
{
  V sum = {};
  index_t col = first;
  auto const add = [&](auto is_there) {
    V element[Unroll];
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
      element[u] = is_there(u) ? load<Stays>(a + stride * (col + u * step)) : V{};
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
      if (is_there(u))
        add_product(sum, element[u], __ldg(x + col + u * step));
  };
  for (; col + (Unroll - 1) * step < end; col += Unroll * step)
    add([](int) { return true; });
  if (col < end)
    add([&](int u) { return col + u * step < end; });
  return sum;
}

/// Parts of a sum that a thread loads at once.
inline constexpr unsigned parts_at_once = 8;

/// Σ parts[k·stride] over k = first, first + step, ... below `end`, which other blocks stored:
/// past the caches that do not see their stores. All loads of some come first.
__device__ inline double sum_of_parts(double const* parts, index_t stride, unsigned first,
                                      unsigned end, unsigned step)
{
  double sum = 0;
  for (unsigned k = first; k < end; k += parts_at_once * step) {
    double part[parts_at_once];
#pragma unroll
    for (unsigned n = 0; n < parts_at_once; ++n) {
      unsigned const at = k + n * step;
      part[n] = at < end ? __ldcg(parts + stride * at) : 0.0;
    }
#pragma unroll
    for (unsigned n = 0; n < parts_at_once; ++n)
      sum += part[n];
  }
  return sum;
}

} // namespace strata::matvec::native

#endif
