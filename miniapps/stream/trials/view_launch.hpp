#pragma once

#include "array_trial.hpp"

#include "base/sum_last.hpp"
#include "kernels/kernel_table.hpp"

namespace strata::stream {

/// Kokkos::View's data type and layout for Rank indices in our layout's order.
template <class T, int Rank>
struct ViewData
{
  using type = typename ViewData<T, Rank - 1>::type*;
};
template <class T>
struct ViewData<T, 0>
{
  using type = T;
};

template <class Layout>
inline constexpr bool is_left = std::is_same_v<Layout, LayoutLeft>;

template <class U, int Rank, class Layout>
using PlainView =
    Kokkos::View<typename ViewData<U, Rank>::type,
                 std::conditional_t<is_left<Layout>, Kokkos::LayoutLeft, Kokkos::LayoutRight>,
                 DeviceSpace, Kokkos::MemoryUnmanaged>;

template <class U, class T, int Rank, class Layout>
[[gnu::noinline]] PlainView<U, Rank, Layout> plain_view(Fields<T, Rank, Layout> const& fields,
                                                        Field f)
{
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    return PlainView<U, Rank, Layout>(fields[f].data(),
                                      static_cast<std::size_t>(fields.extents().extent(R))...);
  }(std::make_index_sequence<Rank>{});
}

/// The tile by which a view of several indices is visited; a view of one index has none.
enum class ViewTile
{
  standard, ///< Kokkos' own
  tuned     ///< chosen by hand
};

/// A tile that is long along the fastest index: on a GPU 256 threads, of which each warp loads
/// whole cache lines; on a host the whole run.
template <class Layout, int Rank>
Kokkos::Array<index_t, Rank> tuned_tile(Dynamic<Rank> const& extents)
{
  constexpr index_t along = 64;
  constexpr index_t across = 4; // of the next index
  constexpr std::size_t fastest = is_left<Layout> ? 0 : Rank - 1;
  constexpr std::size_t next = is_left<Layout> ? 1 : Rank - 2;
  Kokkos::Array<index_t, Rank> tile{};
  for (std::size_t r = 0; r < Rank; ++r)
    tile[r] = 1;
  tile[fastest] = device_is_host ? extents.extent(fastest) : along;
  tile[next] = device_is_host ? 1 : across;
  return tile;
}

template <class Layout, ViewTile Tile, int Rank>
[[gnu::noinline]] auto plain_policy(Dynamic<Rank> const& extents)
{
  if constexpr (Rank == 1)
    return Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, extents.extent(0));
  else {
    constexpr auto order = is_left<Layout> ? Kokkos::Iterate::Left : Kokkos::Iterate::Right;
    using Range = Kokkos::MDRangePolicy<Device, Kokkos::Rank<Rank, order, order>,
                                        Kokkos::IndexType<index_t>>;
    Kokkos::Array<index_t, Rank> begin{};
    Kokkos::Array<index_t, Rank> end{};
    for (std::size_t r = 0; r < Rank; ++r)
      end[r] = extents.extent(r);
    if constexpr (Tile == ViewTile::tuned)
      return Range(begin, end, tuned_tile<Layout, Rank>(extents));
    else
      return Range(begin, end);
  }
}

/// Not inlined: both tiles share it.
template <bool Sums, class Kernel, class Policy>
[[gnu::noinline]] void launch_plain(Kernel const& kernel, Policy const& policy,
                                    SumArray const& sum)
{
  if constexpr (Sums)
    Kokkos::parallel_reduce(Kernel::name(), policy, SumLast<Kernel>{kernel}, view_of(sum));
  else
    Kokkos::parallel_for(Kernel::name(), policy, kernel);
}

/// Variant view: the same kernels on plain Kokkos::View, launched as a Kokkos user would.
template <KernelId Id, class T, int Rank, class Layout, ViewTile Tile>
void launch_views(Fields<T, Rank, Layout> const& fields)
{
  launch_plain<is_sum(Id)>(
      make_kernel<Id>([&](Field f) { return plain_view<T>(fields, f); },
                      [&](Field f) { return plain_view<T const>(fields, f); },
                      static_cast<T>(factor)),
      plain_policy<Layout, Tile, Rank>(fields.extents()), fields.sum);
}

} // namespace strata::stream
