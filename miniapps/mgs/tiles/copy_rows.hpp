#pragma once

#include "array/layout/layout.hpp"
#include "base/cuda/async_copy.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <type_traits>

namespace strata::mgs {

/// Whether rows 2n and 2n + 1 of a column of A, whose columns begin at even elements of memory
/// that is aligned to 16 bytes, are one access of 16 bytes.
template <class A>
inline constexpr bool rows_are_together = !std::is_same_v<typename A::layout_type, LayoutRight>;

/// Starts copying two rows of a column, `step` apart, to scratch memory. On an NVIDIA GPU they
/// arrive when nvidia::await_copies says so.
template <bool Together>
KOKKOS_FUNCTION void start_copy(double const* from, [[maybe_unused]] index_t step, double* to)
{
#if defined(__CUDA_ARCH__)
  if constexpr (Together)
    nvidia::copy_async<16>(to, from);
  else {
    nvidia::copy_async<8>(to, from);
    nvidia::copy_async<8>(to + 1, from + step);
  }
#else
  to[0] = *from;
  to[1] = from[step];
#endif
}
/// The same of rows `row`, which is even, and `row` + 1; 0 past the last one.
template <class A>
KOKKOS_FUNCTION void copy_row_pair(A const& a, index_t row_count, index_t row, index_t column,
                                   double* to)
{
  if (row + 1 >= row_count) {
    to[0] = row < row_count ? a(row, column) : 0;
    to[1] = 0;
    return;
  }
  double const* const from = &a(row, column);
  if constexpr (rows_are_together<A>)
    start_copy<true>(from, 1, to);
  else
    start_copy<false>(from, &a(row + 1, column) - from, to);
}

} // namespace strata::mgs
