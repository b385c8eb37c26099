#pragma once

#include "for_each.hpp"

#include "../../base/kokkos.hpp"
#include "../access/on_host.hpp"
#include "../layout/require.hpp"

namespace strata {

namespace detail {

template <class Counts>
struct ExclusiveScan
{
  using value_type = index_t;
  static constexpr char const* name() { return "strata::exclusive_scan"; }
  Counts counts;
  index_t* offsets;
  index_t lines;

  KOKKOS_FUNCTION void operator()(index_t line, index_t& sum, bool final) const
  {
    index_t const count = line < lines ? static_cast<index_t>(counts(line)) : 0;
    if (final)
      offsets[line] = sum;
    sum += count;
  }
};

} // namespace detail

/// Sets offsets(i) = Σ counts(k) over k < i for i in [0, n], where offsets has n + 1 elements.
/// Waits for the launch and returns offsets(n), the sum of all counts. Sums have 64 bits for
/// any type of count. `counts` is callable as counts(k) on Execution: a span, which may be
/// `offsets` itself, or a functor.
template <class Execution = Device, class Counts>
index_t
exclusive_scan(Counts const& counts,
               Span<index_t, Dynamic<1>, LayoutRight,
                    AccessIn<AccessDefault, typename Execution::memory_space>> const& offsets)
{
  detail::require(offsets.extent(0) > 0, "a scan of n counts makes n + 1 offsets");
  using Scan = detail::ExclusiveScan<Counts>;
  using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
  index_t total = 0;
  Kokkos::parallel_scan(Scan::name(), Policy(0, offsets.extent(0)),
                        Scan{counts, offsets.data_handle(), offsets.extent(0) - 1}, total);
  return total;
}

} // namespace strata
