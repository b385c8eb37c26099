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

template <class Layout, int Rank>
[[gnu::noinline]] auto plain_policy(Dynamic<Rank> const& extents)
{
  if constexpr (Rank == 1)
    return Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, extents.extent(0));
  else {
    constexpr auto order = is_left<Layout> ? Kokkos::Iterate::Left : Kokkos::Iterate::Right;
    Kokkos::Array<index_t, Rank> begin{};
    Kokkos::Array<index_t, Rank> end{};
    for (std::size_t r = 0; r < Rank; ++r)
      end[r] = extents.extent(r);
    return Kokkos::MDRangePolicy<Device, Kokkos::Rank<Rank, order, order>,
                                 Kokkos::IndexType<index_t>>(begin, end);
  }
}

/// Variant view: the same kernels on plain Kokkos::View, launched as a Kokkos user would: with
/// a RangePolicy for one index and an MDRangePolicy for more.
template <KernelId Id, class T, int Rank, class Layout>
void launch_views(Fields<T, Rank, Layout> const& fields)
{
  auto const kernel = make_kernel<Id>([&](Field f) { return plain_view<T>(fields, f); },
                                      [&](Field f) { return plain_view<T const>(fields, f); },
                                      static_cast<T>(factor));
  using Kernel = std::remove_const_t<decltype(kernel)>;
  auto const range = plain_policy<Layout, Rank>(fields.extents());
  if constexpr (is_sum(Id))
    Kokkos::parallel_reduce(Kernel::name(), range, SumLast<Kernel>{kernel},
                            view_of(fields.sum));
  else
    Kokkos::parallel_for(Kernel::name(), range, kernel);
}

} // namespace strata::stream
