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

/// How a view of several indices is visited; one of one index by a RangePolicy in any case.
enum class ViewPolicy
{
  mdrange, ///< Kokkos' default tile
  tuned,   ///< a tile chosen by hand
  flat     ///< as the one row of elements that it is in memory
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

template <class Layout, ViewPolicy Policy, int Rank>
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
    if constexpr (Policy == ViewPolicy::tuned)
      return Range(begin, end, tuned_tile<Layout, Rank>(extents));
    else
      return Range(begin, end);
  }
}

/// Kernel `Id` on the views that `write(field)` and `read(field)` return.
template <KernelId Id, class T, class Write, class Read, class Policy>
void launch_plain(Write const& write, Read const& read, Policy const& policy,
                  SumArray const& sum)
{
  auto const kernel = make_kernel<Id>(write, read, static_cast<T>(factor));
  using Kernel = std::remove_const_t<decltype(kernel)>;
  if constexpr (is_sum(Id))
    Kokkos::parallel_reduce(Kernel::name(), policy, SumLast<Kernel>{kernel}, view_of(sum));
  else
    Kokkos::parallel_for(Kernel::name(), policy, kernel);
}

/// Variant view: the same kernels on plain Kokkos::View, launched as a Kokkos user would.
template <KernelId Id, class T, int Rank, class Layout, ViewPolicy Policy>
void launch_views(Fields<T, Rank, Layout> const& fields)
{
  if constexpr (Policy == ViewPolicy::flat && Rank > 1) {
    auto const elements = static_cast<std::size_t>(fields[Field::a].size());
    auto const flat = [&]<class U>(Field f, U*) {
      return PlainView<U, 1, Layout>(fields[f].data(), elements);
    };
    launch_plain<Id, T>(
        [&](Field f) { return flat(f, static_cast<T*>(nullptr)); },
        [&](Field f) { return flat(f, static_cast<T const*>(nullptr)); },
        plain_policy<Layout, Policy, 1>(Dynamic<1>(static_cast<index_t>(elements))),
        fields.sum);
  } else
    launch_plain<Id, T>([&](Field f) { return plain_view<T>(fields, f); },
                        [&](Field f) { return plain_view<T const>(fields, f); },
                        plain_policy<Layout, Policy, Rank>(fields.extents()), fields.sum);
}

} // namespace strata::stream
