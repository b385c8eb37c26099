#pragma once

#include "native.hpp"
#include "native_launch.hpp"

#include "base/cuda/device.hpp"
#include "base/cuda/sum.hpp"
#include "kernels/fastest.hpp"
#include "kernels/gpu_time.hpp"

// How the hand-written dense CUDA kernels divide their work: as is the fastest on the device of
// what a model of the time lists, at a shape's first launch. Where
// there are too few rows to fill the device, the sum is split over blocks, and the last block
// of some rows adds the blocks' parts, always in the same order, in the same launch. Empty
// without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec::native {

inline constexpr int threads = 256;      // of a block
inline constexpr int resident = 4;       // blocks of a multiprocessor; leaves 64 registers
inline constexpr int loads_at_once = 4;  // of a thread, of each of its rows
inline constexpr index_t most_waves = 2; // of resident blocks, where the sum is split
inline constexpr index_t rows_of_shared = 128; // of such a block, on average at most

inline index_t blocks_at_once()
{
  return resident * nvidia::multiprocessors();
}

/// Most blocks of a launch whose sums are split.
inline index_t most_sharing_blocks()
{
  return most_waves * blocks_at_once();
}

/// Their partial sums, and a ticket for each.
inline nvidia::PartialSums const& partial_sums()
{
  static index_t const blocks = most_sharing_blocks();
  static nvidia::PartialSums const memory("strata::matvec::native::partial_sums",
                                          blocks * rows_of_shared, blocks);
  return memory;
}

inline index_t rounded_up(index_t n, index_t step)
{
  return quotient_up(n, step) * step;
}

/// Whether so many blocks, of `sums` sums in all, may have so many parts.
inline bool may_share(index_t blocks, index_t parts, index_t sums)
{
  return parts == 1 || (blocks <= most_sharing_blocks() &&
                        parts * sums <= most_sharing_blocks() * rows_of_shared);
}

inline bool stays_in_cache(Product const& p)
{
  return p.rows * p.cols * static_cast<index_t>(sizeof(double)) <= nvidia::cache_bytes();
}

} // namespace strata::matvec::native

#endif
