#pragma once

#include "cuda_launch.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <algorithm>
#include <cstddef>

#if defined(KOKKOS_ENABLE_CUDA)
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>
#endif

// Sums over all indices before one, by CUB, which comes with CUDA: it passes over the counts
// once, where Kokkos' parallel_scan does so twice and reads one count a thread. Empty without
// CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::detail {

/// Memory that scans work in, at least so many bytes; that of the last scan, which may still
/// run before this one on the stream. Kokkos' finalize frees it.
inline void* cuda_scan_memory(std::size_t bytes)
{
  static void* memory = nullptr;
  static std::size_t room = 0;
  if (bytes > room) {
    if (memory == nullptr)
      Kokkos::push_finalize_hook([] {
        Kokkos::kokkos_free<Kokkos::CudaSpace>(memory);
        memory = nullptr;
        room = 0;
      });
    Kokkos::fence();
    Kokkos::kokkos_free<Kokkos::CudaSpace>(memory);
    room = std::max(bytes + bytes / 2, std::size_t{1} << 16);
    memory = Kokkos::kokkos_malloc<Kokkos::CudaSpace>("strata::scan", room);
  }
  return memory;
}

/// Sets offsets[i], for i in [0, count), to the sum of term(k) over k < i.
template <class Term, class Offset>
void cuda_scan(char const* label, Term const& term, Offset* offsets, index_t count)
{
  CudaLaunch const launch(label);
  auto const terms =
      thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), term);
  auto const scan = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, terms, offsets, count, launch.stream());
  };
  std::size_t bytes = 0;
  launch.check(scan(nullptr, bytes));
  launch.check(scan(cuda_scan_memory(bytes), bytes));
}

} // namespace strata::detail

#endif
