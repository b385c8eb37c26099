#pragma once

#include "for_each.hpp"
#include "sums.hpp"
#include "team_reduce.hpp"

#include "../layout/require.hpp"

#include <type_traits>

namespace strata {

namespace detail {

template <class Execution, class Loop, class Into>
void launch_reduce(char const* name, Loop const& loop, Into& into)
{
  using Bounded =
      Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>, typename Loop::Bounds>;
  Kokkos::parallel_reduce(name, Bounded(0, loop.items()), loop, into);
}

/// Reduces into `into`, a view of one value; or into a value, after waiting for the launch.
template <class Execution, int W, class Sum, class Walk, class Kernel, class Into>
void reduce_on_host(Walk const& walk, Kernel const& kernel, Into& into)
{
  using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
  HostReduce<Walk, Kernel, W, Sum> const loop(walk, kernel, Execution().concurrency());
  Kokkos::parallel_reduce(label_of(kernel), Policy(0, loop.parts()), loop.call(), into);
}

} // namespace detail

/// Sums what `kernel` adds over `walk` into `result`, which lies in the device's memory and
/// stays there (S1's ValueView): no host round trip, and the launch returns before it has
/// finished. Sum is anything that starts at Sum{} and has +=; Sums for many at once. A GPU
/// divides the launch as `tuned` says.
template <class Execution = Device, int W = 1, class Layout, class E, class Kernel, class Sum,
          class Tuned = Tuning<>>
void reduce(Walk<Layout, E> const& walk, Kernel const& kernel,
            Span<Sum, Extents<index_t>, LayoutRight> const& result, Packs<W> = {},
            Tuned tuned = {})
{
  using Visited = Walk<Layout, E>;
  Kokkos::View<Sum, typename Execution::memory_space, Kokkos::MemoryUnmanaged> const into(
      result.data_handle());
  if constexpr (detail::runs_on_host<Execution>) {
    detail::reduce_on_host<Execution, W, Sum>(walk, kernel, into);
  } else if (W > 1 && walk.runs() > 1 && walk.run_length() % W != 0) {
    reduce<Execution>(walk, kernel, result, Packs<1>{}, tuned);
  } else {
    constexpr bool by_teams = detail::reduces_by_teams<Execution, Sum>;
    index_t const concurrency = Execution().concurrency();
    index_t const least = by_teams ? detail::least_steps : 1;
    auto const launch = [&](auto const& loop) {
      if constexpr (by_teams)
        detail::reduce_by_teams<Execution>(detail::label_of(kernel), loop, into.data());
      else
        detail::launch_reduce<Execution>(detail::label_of(kernel), loop, into);
    };
    constexpr index_t steps = detail::tuned(Tuned::steps, detail::steps_in_flight<Sum, W>);
    if (detail::DeviceLoop<Visited, Kernel, W, true>::is_even(walk))
      launch(detail::DeviceReduce<Visited, Kernel, W, true, Sum, steps, Tuned>(
          walk, kernel, concurrency, least));
    else
      launch(detail::DeviceReduce<Visited, Kernel, W, false, Sum, steps, Tuned>(
          walk, kernel, concurrency, least));
  }
}

/// The same into what owns one value of the device's memory: an Array without indices.
template <class Execution = Device, int W = 1, class Layout, class E, class Kernel, class Owner,
          class Tuned = Tuning<>>
  requires requires(Owner const& owner) { owner.write(); }
void reduce(Walk<Layout, E> const& walk, Kernel const& kernel, Owner const& result,
            Packs<W> packs = {}, Tuned tuned = {})
{
  static_assert(std::is_same_v<typename Owner::memory_space, typename Execution::memory_space>,
                "the result of a launch lies where the launch runs");
  reduce<Execution>(walk, kernel, result.write(), packs, tuned);
}

/// Computes `count` sums, N per launch. `kernel_of(first)` returns the kernel that adds to the
/// sums [first, first + N) as sums[0], sums[1], ...; it must not add to those from `count` on.
/// `result` has room for `count` values in the device's memory, rounded up to a multiple of N;
/// the surplus ones become 0.
template <int N, class Execution = Device, int W = 1, class Layout, class E, class KernelOf,
          class T>
void reduce_many(Walk<Layout, E> const& walk, index_t count, KernelOf const& kernel_of,
                 Span<T, Dynamic<1>, LayoutRight> const& result, Packs<W> packs = {})
{
  static_assert(sizeof(Sums<T, N>) == N * sizeof(T));
  using One = Span<Sums<T, N>, Extents<index_t>, LayoutRight>;
  detail::require(result.extent(0) >= (count + N - 1) / N * N,
                  "array '%s' has no room for %lld sums, rounded up to a multiple of %d",
                  result.label(), static_cast<long long>(count), N);
  for (index_t first = 0; first < count; first += N)
    reduce<Execution>(walk, kernel_of(first),
                      One(reinterpret_cast<Sums<T, N>*>(result.data_handle() + first),
                          typename One::mapping_type(), result.label()),
                      packs);
}

/// Waits for the sum and returns it. For kernels that are not timed: compiled for single
/// elements only.
template <class Sum, class Execution = Device, class Layout, class E, class Kernel>
Sum reduced(Walk<Layout, E> const& walk, Kernel const& kernel)
{
  Sum result{};
  if constexpr (detail::runs_on_host<Execution>)
    detail::reduce_on_host<Execution, 1, Sum>(walk, kernel, result);
  else
    detail::launch_reduce<Execution>(
        detail::label_of(kernel),
        detail::DeviceReduce<Walk<Layout, E>, Kernel, 1, false, Sum, 1>(
            walk, kernel, Execution().concurrency()),
        result);
  return result;
}

/// A Sum whose += keeps the larger value; at least 0.
struct Largest
{
  double value = 0;

  KOKKOS_FUNCTION Largest& operator+=(Largest const& other) { return *this += other.value; }
  KOKKOS_FUNCTION Largest& operator+=(double other)
  {
    if (other > value)
      value = other;
    return *this;
  }
};

} // namespace strata
