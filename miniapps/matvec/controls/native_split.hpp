#pragma once

#include "native_launch.hpp"

#include "base/cuda_sum.hpp"

#include <algorithm>

// How the hand-written dense CUDA kernels divide their work. Where there are too few rows to
// fill the device, the sum is split over blocks, and the last block of some rows adds the
// blocks' parts, always in the same order, in the same launch. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec::native {

inline constexpr int threads = 256;      // of a block
inline constexpr int resident = 4;       // blocks of a multiprocessor; leaves 64 registers
inline constexpr index_t most_waves = 2; // of resident blocks, where the sum is split

/// Partial sums of launches whose sums are split: at most most_waves · resident blocks for each
/// multiprocessor, of at most 128 rows each.
inline cuda::PartialSums const& partial_sums()
{
  static index_t const blocks = most_waves * resident * multiprocessors();
  static cuda::PartialSums const memory("strata::matvec::native::partial_sums", blocks * 128,
                                        blocks);
  return memory;
}

/// The number of parts of a sum whose rows take `blocks` blocks; each has at least `least`
/// terms.
inline index_t parts_for(index_t blocks, index_t terms, index_t least)
{
  return std::clamp<index_t>(most_waves * resident * multiprocessors() / blocks, 1,
                             std::max<index_t>(terms / least, 1));
}

inline index_t rounded_up(index_t n, index_t step)
{
  return (n + step - 1) / step * step;
}

} // namespace strata::matvec::native

#endif
