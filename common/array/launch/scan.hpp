#pragma once

#include "cuda_launch.hpp"
#include "for_each.hpp"

#include "../../base/kokkos.hpp"
#include "../access/on_host.hpp"
#include "../layout/require.hpp"

#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA)
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cub/device/device_scan.cuh>
#include <limits>
#endif

namespace strata {

namespace detail {

/// The terms of a scan of n counts, in the type of its sums; the last of n + 1 is 0.
template <class Counts, class Offset>
struct ScanTerms
{
  Counts counts;
  index_t lines;

  KOKKOS_FUNCTION Offset operator()(index_t line) const
  {
    return line < lines ? static_cast<Offset>(counts(line)) : Offset{0};
  }
};

template <class Terms, class Offset>
struct ExclusiveScan
{
  using value_type = Offset;
  Terms terms;
  Offset* offsets;

  KOKKOS_FUNCTION void operator()(index_t line, Offset& sum, bool final) const
  {
    Offset const term = terms(line);
    if (final)
      offsets[line] = sum;
    sum += term;
  }
};

#if defined(KOKKOS_ENABLE_CUDA)

// CUB, which comes with CUDA, passes over the counts once, where Kokkos' parallel_scan does so
// twice and reads one count a thread.

/// Memory that scans work in, at least so many bytes; that of the last scan, which may still
/// run before this one on the stream. Kokkos' finalize frees it.
inline void* cuda_scan_memory(std::size_t bytes)
{
  static void* memory = nullptr;
  static std::size_t room = 0;
  if (bytes > room) {
    static bool const freed_at_end = [] {
      Kokkos::push_finalize_hook([] {
        if (memory != nullptr)
          Kokkos::kokkos_free<Kokkos::CudaSpace>(memory);
        memory = nullptr;
        room = 0;
      });
      return true;
    }();
    static_cast<void>(freed_at_end);
    Kokkos::fence();
    if (memory != nullptr)
      Kokkos::kokkos_free<Kokkos::CudaSpace>(memory);
    memory = nullptr; // for where there is none left
    room = 0;
    auto const asked = std::max(bytes + bytes / 2, std::size_t{1} << 16);
    memory = Kokkos::kokkos_malloc<Kokkos::CudaSpace>("strata::scan", asked);
    room = asked;
  }
  return memory;
}

/// Sets offsets[i], for i in [0, count), to the sum of term(k) over k < i.
template <class Term, class Offset>
void cuda_scan(char const* label, Term const& term, Offset* offsets, int count)
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

#endif

} // namespace detail

/// A span of offsets on Execution.
template <class Offset, class Execution>
using OffsetsOn = Span<Offset, Dynamic<1>, LayoutRight,
                       AccessIn<AccessDefault, typename Execution::memory_space>>;

/// Sets offsets(i) = Σ counts(k) over k < i for i in [0, n], where offsets has n + 1 elements,
/// of whose type the sums are; returns before it has. `counts` is callable as counts(k) on
/// Execution: a span, which may be `offsets` itself, or a functor.
template <class Execution = Device, class Offset = index_t, class Counts>
void scan(Counts const& counts, OffsetsOn<Offset, Execution> const& offsets)
{
  constexpr char const* label = "strata::exclusive_scan";
  detail::require(offsets.extent(0) > 0, "a scan of n counts makes n + 1 offsets");
  using Terms = detail::ScanTerms<Counts, Offset>;
  Terms const terms{counts, offsets.extent(0) - 1};
#if defined(KOKKOS_ENABLE_CUDA)
  // CUB counts in 32 bits in older toolkits.
  if constexpr (std::is_same_v<Execution, Kokkos::Cuda>)
    if (offsets.extent(0) <= std::numeric_limits<int>::max()) {
      detail::cuda_scan(label, terms, offsets.data_handle(),
                        static_cast<int>(offsets.extent(0)));
      return;
    }
#endif
  using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
  Kokkos::parallel_scan(label, Policy(0, offsets.extent(0)),
                        detail::ExclusiveScan<Terms, Offset>{terms, offsets.data_handle()});
}

/// The same with sums of 64 bits; waits for it and returns offsets(n), the sum of all counts.
template <class Execution = Device, class Counts>
index_t exclusive_scan(Counts const& counts, OffsetsOn<index_t, Execution> const& offsets)
{
  scan<Execution>(counts, offsets);
  index_t total = 0;
  using Last =
      Kokkos::View<index_t const, typename Execution::memory_space, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(Execution(), total, Last(offsets.data_handle() + offsets.extent(0) - 1));
  Execution().fence();
  return total;
}

} // namespace strata
