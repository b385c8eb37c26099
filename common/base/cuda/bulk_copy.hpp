#pragma once

#include <cstdint>

// Copies of boxes of a matrix to a block's shared memory which one thread starts and a barrier
// there counts (compute capability 9 or later; PTX: cp.async.bulk.tensor, mbarrier). Addresses
// are those of shared memory (`__cvta_generic_to_shared`). Needs no Kokkos; empty without CUDA.

#if defined(__CUDACC__)

#include <cuda.h>

namespace strata::nvidia {

/// A barrier in shared memory, of 8 bytes. A phase ends when as many threads have arrived as
/// the barrier was initialised for, and all bytes that they announced have come. Phases have
/// the parities 0, 1, 0, and so on.
class CopyBarrier
{
public:
  __device__ explicit CopyBarrier(std::uint32_t address)
      : address_(address)
  {
  }
  /// By one thread, before all others use it: see publish_barriers().
  __device__ void initialise(int arrivals) const
  {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_), "r"(arrivals)
                 : "memory");
  }
  __device__ void arrive() const
  {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_) : "memory");
  }
  __device__ void arrive_and_announce(int bytes) const
  {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_),
                 "r"(bytes)
                 : "memory");
  }
  /// Waits while the phase of this parity runs: for 1 on a new barrier it returns at once.
  __device__ void wait(std::uint32_t parity) const
  {
    asm volatile("{ .reg .pred ended;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again; }" ::"r"(address_),
                 "r"(parity)
                 : "memory");
  }
  [[nodiscard]] __device__ std::uint32_t address() const { return address_; }

private:
  std::uint32_t address_;
};

/// Makes barriers that this thread has initialised visible to copies. A barrier of the block
/// makes them visible to its threads.
__device__ inline void publish_barriers()
{
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Starts copying the box of a matrix whose first element is (line, place). Elements outside of
/// the matrix are 0 and count as bytes that come. `shared` is on 128 bytes, with a swizzle of
/// 128 bytes on 1,024; `matrix` is a kernel's `__grid_constant__` parameter or in global
/// memory.
__device__ inline void copy_box(std::uint32_t shared, CUtensorMap const& matrix, int place,
                                int line, CopyBarrier barrier)
{
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared),
      "l"(&matrix), "r"(place), "r"(line), "r"(barrier.address())
      : "memory");
}

} // namespace strata::nvidia

#endif
