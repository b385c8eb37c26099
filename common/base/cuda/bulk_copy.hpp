#pragma once

#include <cstdint>

// Copies of boxes of a matrix to a block's shared memory which one thread starts and a barrier
// there counts (compute capability 9 or later; PTX: cp.async.bulk.tensor, mbarrier). Addresses
// are those of shared memory (`__cvta_generic_to_shared`). Needs no Kokkos; empty without CUDA.

#if defined(__CUDACC__)

#include <cuda.h>

namespace strata::nvidia {

/// A barrier in shared memory, of 8 bytes. Its phases have ended when as many threads have
/// arrived as it is for and all bytes that they announced are there.
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
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_), "r"(arrivals));
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
  /// Waits until the phase of this parity has ended: 0 of the first, 1 of the one before it,
  /// which has, 0 of the third, and so on.
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
/// the matrix are 0.
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
