#pragma once

#include "cuda_launch.hpp"
#include "device_loop.hpp"
#include "host_loop.hpp"
#include "sums.hpp"
#include "walk.hpp"

#include "../../base/kokkos.hpp"
#include "../access/access.hpp"
#include "../span/span.hpp"

#include <algorithm>
#include <type_traits>

namespace strata {

// Launches. A kernel is a named functor with `operator()(indices...)` or, for a reduction,
// `operator()(Sum& sum, indices...)`, written for one element; `name()` is its Kokkos label.
// `Packs<W>` launches it over packs of W elements along the contiguous index, and over single
// elements in the tail of a run. lambda.hpp has the forms that take a label and a lambda.

/// How many elements one work item handles at once; 1 is an ordinary launch.
template <int W>
struct Packs
{
};

namespace detail {

template <class Layout>
constexpr int kept_together(int width)
{
  return static_cast<int>(std::min(static_cast<std::size_t>(width), contiguous_run<Layout>));
}

} // namespace detail

/// The widest packs of T that pay on Device and that Layout keeps together.
template <class T, class Layout>
inline constexpr Packs<detail::kept_together<Layout>(pack_width<T>)> widest_packs{};

/// The same for kernels that do little but write.
template <class T, class Layout>
inline constexpr Packs<detail::kept_together<Layout>(write_width<T>)> write_packs{};

namespace detail {

/// What Kokkos' tools call a launch of `kernel`.
template <class Kernel>
auto label_of(Kernel const& kernel)
{
  if constexpr (requires { kernel.label; })
    return kernel.label;
  else
    return Kernel::name();
}

template <class Execution>
inline constexpr bool runs_on_host =
    Kokkos::SpaceAccessibility<HostSpace, typename Execution::memory_space>::accessible;

} // namespace detail

/// Launches `kernel` for every index of `walk` on Execution, divided as `tuned` says; returns
/// before it has finished.
template <class Execution = Device, int W = 1, class Layout, class E, class Kernel,
          class Tuned = Tuning<>>
void for_each(Walk<Layout, E> const& walk, Kernel const& kernel, Packs<W> = {},
              Tuned tuned = {})
{
  using Visited = Walk<Layout, E>;
  if constexpr (detail::runs_on_host<Execution>) {
    using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
    detail::HostFor<Visited, Kernel, W> const loop(walk, kernel, Execution().concurrency());
    Kokkos::parallel_for(detail::label_of(kernel), Policy(0, loop.parts()), loop.call());
  } else if (W > 1 && walk.runs() > 1 && walk.run_length() % W != 0) {
    for_each<Execution>(walk, kernel, Packs<1>{}, tuned);
  } else {
    auto const launch = [&]<class Loop>(Loop const& loop) {
#if defined(KOKKOS_ENABLE_CUDA)
      detail::launch_cuda_items(detail::label_of(kernel), loop);
#else
      using Bounded =
          Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>, typename Loop::Bounds>;
      Kokkos::parallel_for(detail::label_of(kernel), Bounded(0, loop.items()), loop);
#endif
    };
    if (detail::DeviceLoop<Visited, Kernel, W, true>::is_even(walk))
      launch(detail::DeviceFor<Visited, Kernel, W, true, Tuned>(walk, kernel));
    else
      launch(detail::DeviceFor<Visited, Kernel, W, false, Tuned>(walk, kernel));
  }
}

/// Launches `kernel` for every i in [0, count).
template <class Execution = Device, int W = 1, class Kernel>
void for_each(index_t count, Kernel const& kernel, Packs<W> packs = {})
{
  for_each<Execution>(in_order_of<LayoutRight>(Dynamic<1>(count)), kernel, packs);
}

} // namespace strata
