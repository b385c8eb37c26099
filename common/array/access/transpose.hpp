#pragma once

#include "pack.hpp"

#include "../../base/kokkos.hpp"

#include <utility>

namespace strata {

namespace detail {

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define STRATA_SHUFFLES_PACKS
#endif
#endif

#if defined(STRATA_SHUFFLES_PACKS)
/// Swaps blocks of D × D lanes of two rows that are D apart: a's odd ones with b's even ones.
template <int D, class T, int W, int... I>
[[gnu::always_inline]] inline void swap_blocks(Pack<T, W>& a, Pack<T, W>& b,
                                               std::integer_sequence<int, I...>)
{
  auto const even = __builtin_shufflevector(a.lane, b.lane, ((I & D) == 0 ? I : W + I - D)...);
  b.lane = __builtin_shufflevector(a.lane, b.lane, ((I & D) == 0 ? I + D : W + I)...);
  a.lane = even;
}
template <int D, class T, int W>
[[gnu::always_inline]] inline void swap_all_blocks(Pack<T, W> (&rows)[W])
{
  if constexpr (D < W) {
    for (int r = 0; r < W; ++r)
      if ((r & D) == 0)
        swap_blocks<D>(rows[r], rows[r + D], std::make_integer_sequence<int, W>());
    swap_all_blocks<2 * D>(rows);
  }
}
#endif

} // namespace detail

/// Transposes W packs of W lanes: lane j of pack i becomes lane i of pack j. On a host in
/// log₂ W steps over its registers: inlined always, as a call would pass them by memory.
template <class T, int W>
KOKKOS_FORCEINLINE_FUNCTION void transpose(Pack<T, W> (&rows)[W])
{
#if defined(STRATA_SHUFFLES_PACKS)
  detail::swap_all_blocks<1>(rows);
#else
  for (int i = 0; i < W; ++i)
    for (int j = 0; j < i; ++j) {
      T const below = rows[i].lane[j];
      rows[i].lane[j] = rows[j].lane[i];
      rows[j].lane[i] = below;
    }
#endif
}

} // namespace strata
