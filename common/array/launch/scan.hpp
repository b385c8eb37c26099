#pragma once

#include "cuda_scan.hpp"
#include "for_each.hpp"

#include "../../base/kokkos.hpp"
#include "../access/on_host.hpp"
#include "../layout/require.hpp"

#include <type_traits>

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
  if constexpr (std::is_same_v<Execution, Kokkos::Cuda>) {
    detail::cuda_scan(label, terms, offsets.data_handle(), offsets.extent(0));
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
