#pragma once

#include "access.hpp"
#include "array.hpp"
#include "walk.hpp"

#include "base/kokkos.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace strata {

// Launches. A kernel is a named functor, `operator()(indices...)` or, for a reduction,
// `operator()(Sum& sum, indices...)`, with its Kokkos label in `name()`; its text is written
// for one element. `Packs<W>` launches it over packs of W elements along the contiguous
// index, with single elements where a run ends off a multiple of W.

/// How many elements one work item handles at once; 1 is an ordinary launch.
template <int W>
struct Packs
{
};

/// The widest packs of T that pay on Device and that Layout keeps together.
template <class T, class Layout>
inline constexpr Packs<static_cast<int>(
    std::min(static_cast<std::size_t>(pack_width<T>), Layout::contiguous))>
    widest_packs{};

namespace detail {

template <class Execution>
inline constexpr bool runs_on_host =
    Kokkos::SpaceAccessibility<HostSpace, typename Execution::memory_space>::accessible;

/// Host: the walk in `parts` equal stretches, each visited by one thread in memory order. The
/// kernel is copied to that thread's stack, where no store can alias its members.
template <class Walk, class Kernel, int W>
class HostLoop
{
public:
  HostLoop(Walk const& walk, Kernel const& kernel, index_t parts)
      : walk_(walk)
      , kernel_(kernel)
      , parts_(parts)
  {
  }

protected:
  /// Calls f(outer, begin, end) for each piece of a run in stretch `part`.
  template <class F>
  void pieces(index_t part, F const& f) const
  {
    index_t const steps = (walk_.run_length() + step - 1) / step; // per run
    index_t const total = steps * walk_.runs();
    index_t at = total / parts_ * part + std::min(part, total % parts_);
    index_t const end = at + total / parts_ + (part < total % parts_ ? 1 : 0);
    while (at < end) {
      index_t const run = at / steps;
      index_t const first = at - run * steps;
      index_t const last = std::min(steps, first + (end - at));
      auto const outer = walk_.outer(run);
      f(outer, first * step, std::min(last * step, walk_.length_of(outer)));
      at += last - first;
    }
  }

  Walk walk_;
  Kernel kernel_;
  index_t parts_;

private:
  // Stretches meet on multiples of a cache line of doubles: no two threads share one.
  static constexpr index_t step = std::max(W, 8);
};

template <class Walk, class Kernel, int W>
struct HostFor : HostLoop<Walk, Kernel, W>
{
  using HostLoop<Walk, Kernel, W>::HostLoop;

  void operator()(index_t part) const
  {
    Kernel const kernel = this->kernel_;
    Walk const walk = this->walk_;
    this->pieces(part, [&](auto const& outer, index_t begin, index_t end) {
      index_t i = begin;
      if constexpr (W > 1)
        for (; i + W <= end; i += W)
          walk.call(kernel, outer, PackIndex<W>{i});
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep // work items are independent: that is what a launch means
#endif
      for (index_t j = i; j < end; ++j)
        walk.call(kernel, outer, j);
    });
    if constexpr (W > 1)
      streaming_fence();
  }
};

template <class Walk, class Kernel, int W, class Sum>
struct HostReduce : HostLoop<Walk, Kernel, W>
{
  using value_type = Sum;
  using HostLoop<Walk, Kernel, W>::HostLoop;

  void operator()(index_t part, Sum& sum) const
  {
    Kernel const kernel = this->kernel_;
    Walk const walk = this->walk_;
    Sum single{};
    if constexpr (W > 1) {
      constexpr int chains = 4; // independent sums hide the latency of an addition
      Pack<Sum, W> lanes[chains];
      for (auto& l : lanes)
        l = Sum{};
      this->pieces(part, [&](auto const& outer, index_t begin, index_t end) {
        index_t i = begin;
        for (; i + chains * W <= end; i += chains * W)
          for (int c = 0; c < chains; ++c)
            walk.call(kernel, outer, PackIndex<W>{i + c * W}, lanes[c]);
        for (; i + W <= end; i += W)
          walk.call(kernel, outer, PackIndex<W>{i}, lanes[0]);
        for (; i < end; ++i)
          walk.call(kernel, outer, i, single);
      });
      for (auto const& l : lanes)
        single += lane_sum(l);
    } else {
      this->pieces(part, [&](auto const& outer, index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i)
          walk.call(kernel, outer, i, single);
      });
    }
    sum += single;
  }
};

/// Whether a kernel says that it reads nothing.
template <class Kernel>
concept OnlyWrites =
    requires(Kernel kernel) { requires std::tuple_size_v<decltype(kernel.reads())> == 0; };

/// Device: the walk as equal steps, a pack (or element) each, numbered along the runs. Even:
/// all steps are whole and fewer than 2^31, so that visiting one takes no branch, and the
/// loads of several can be in flight.
template <class Walk, class Kernel, int W, bool Even>
class DeviceLoop
{
public:
  DeviceLoop(Walk const& walk, Kernel const& kernel)
      : walk_(walk)
      , kernel_(kernel)
      , steps_((walk.run_length() + W - 1) / W)
      , total_(steps_.value() * walk.runs())
  {
  }
  static bool is_even(Walk const& walk)
  {
    return walk.full_runs() && walk.run_length() % W == 0 &&
           (walk.run_length() / W * walk.runs()) >> 31 == 0;
  }

protected:
  template <class... Sum>
  KOKKOS_FUNCTION void visit(index_t step, Sum&... sum) const
  {
    auto const at =
        Walk::one_run ? Divisor::Result{0, step} : steps_.template divide<Even>(step);
    index_t const first = at.remainder * W;
    auto const outer = walk_.template outer<Even>(at.quotient);
    if constexpr (Even && W > 1)
      walk_.call(kernel_, outer, PackIndex<W>{first}, sum...);
    else if constexpr (Even)
      walk_.call(kernel_, outer, first, sum...);
    else
      visit_uneven(outer, first, sum...);
  }

  Walk walk_;
  Kernel kernel_;
  Divisor steps_; ///< per run
  index_t total_;

private:
  /// A pack where it is whole, else element by element.
  template <class Outer, class... Sum>
  KOKKOS_FUNCTION void visit_uneven(Outer const& outer, index_t first, Sum&... sum) const
  {
    index_t const length = walk_.length_of(outer);
    if constexpr (W > 1)
      if (first + W <= length) {
        walk_.call(kernel_, outer, PackIndex<W>{first}, sum...);
        return;
      }
    for (index_t i = first; i < length && i < first + W; ++i)
      visit_one(outer, i, sum...);
  }
  template <class Outer>
  KOKKOS_FUNCTION void visit_one(Outer const& outer, index_t i) const
  {
    walk_.call(kernel_, outer, i);
  }
  template <class Outer, class Sum>
  KOKKOS_FUNCTION void visit_one(Outer const& outer, index_t i, Sum& sum) const
  {
    walk_.call(kernel_, outer, i, sum);
  }
  template <class Outer, class Sum, int Width>
  KOKKOS_FUNCTION void visit_one(Outer const& outer, index_t i, Pack<Sum, Width>& sum) const
  {
    Sum one{};
    walk_.call(kernel_, outer, i, one);
    sum.lane[0] += one;
  }
};

/// One work item per step, or two that lie `block` apart where nothing is read: blocks of
/// work items start no faster (H200, set: 3.39 TB/s with one, 4.61 with two).
template <class Walk, class Kernel, int W, bool Even>
class DeviceFor : public DeviceLoop<Walk, Kernel, W, Even>
{
public:
  using DeviceLoop<Walk, Kernel, W, Even>::DeviceLoop;

  [[nodiscard]] index_t items() const
  {
    return unroll == 1 ? this->total_
                       : (this->total_ + block * unroll - 1) / (block * unroll) * block;
  }
  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    if constexpr (unroll == 1)
      this->visit(item);
    else {
      index_t const first = item / block * (block * unroll) + item % block;
      for (index_t u = 0; u < unroll; ++u)
        if (first + u * block < this->total_)
          this->visit(first + u * block);
    }
  }

private:
  static constexpr index_t block = 256;
  static constexpr index_t unroll = OnlyWrites<Kernel> && W > 1 ? 2 : 1;
};

/// A quarter of the work items that the device can run at once, striding over the steps with
/// `unroll` of an item's in flight: many independent loads from few, large blocks are what a
/// reduction lives on (H200, 2^28 doubles: dot 4.47 and sum 4.45 TB/s; with four steps of all
/// work items 4.30 each).
template <class Walk, class Kernel, int W, bool Even, class Sum>
class DeviceReduce : public DeviceLoop<Walk, Kernel, W, Even>
{
public:
  using value_type = Sum;
  using Bounds = Kokkos::LaunchBounds<256, 2>; ///< registers for all those loads

  DeviceReduce(Walk const& walk, Kernel const& kernel, index_t concurrency)
      : DeviceLoop<Walk, Kernel, W, Even>(walk, kernel)
      , items_(std::max<index_t>(1, std::min(this->total_, concurrency / 4)))
  {
  }
  [[nodiscard]] index_t items() const { return items_; }

  KOKKOS_FUNCTION void operator()(index_t item, Sum& sum) const
  {
    using Partial = std::conditional_t<(W > 1), Pack<Sum, (W > 1 ? W : 2)>, Sum>;
    Partial partial[unroll];
    for (auto& p : partial)
      p = Partial(Sum{});
    index_t step = item;
    for (; step + (unroll - 1) * items_ < this->total_; step += unroll * items_) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (index_t u = 0; u < unroll; ++u)
        this->visit(step + u * items_, partial[u]);
    }
    for (; step < this->total_; step += items_)
      this->visit(step, partial[0]);
    for (auto const& p : partial)
      sum += lane_sum(p);
  }

private:
  static constexpr index_t unroll = 8;
  index_t items_;
};

} // namespace detail

/// Launches `kernel` for every index of `walk` on Execution; returns before it has finished.
template <class Execution = Device, int W = 1, class Layout, class E, class Kernel>
void for_each(Walk<Layout, E> const& walk, Kernel const& kernel, Packs<W> = {})
{
  using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
  if constexpr (detail::runs_on_host<Execution>) {
    index_t const parts = Execution().concurrency();
    Kokkos::parallel_for(Kernel::name(), Policy(0, parts),
                         detail::HostFor<Walk<Layout, E>, Kernel, W>(walk, kernel, parts));
  } else if (W > 1 && walk.runs() > 1 && walk.run_length() % W != 0) {
    for_each<Execution>(walk, kernel, Packs<1>{});
  } else {
    auto const launch = [&](auto const& loop) {
      Kokkos::parallel_for(Kernel::name(), Policy(0, loop.items()), loop);
    };
    using Visited = Walk<Layout, E>;
    if (detail::DeviceLoop<Visited, Kernel, W, true>::is_even(walk))
      launch(detail::DeviceFor<Visited, Kernel, W, true>(walk, kernel));
    else
      launch(detail::DeviceFor<Visited, Kernel, W, false>(walk, kernel));
  }
}

/// Launches `kernel` for every i in [0, count).
template <class Execution = Device, int W = 1, class Kernel>
void for_each(index_t count, Kernel const& kernel, Packs<W> packs = {})
{
  for_each<Execution>(in_order_of<LayoutRight>(Dynamic<1>(count)), kernel, packs);
}

/// Sums what `kernel` adds over `walk` into `result`, which stays on the device (S1's
/// ValueView): no host round trip, and the launch returns before it has finished.
template <class Execution = Device, int W = 1, class Layout, class E, class Kernel, class Sum>
void reduce(
    Walk<Layout, E> const& walk, Kernel const& kernel,
    Array<Sum, Extents<index_t>, LayoutRight, typename Execution::memory_space> const& result,
    Packs<W> = {})
{
  using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
  Kokkos::View<Sum, typename Execution::memory_space, Kokkos::MemoryUnmanaged> const into(
      result.data());
  if constexpr (detail::runs_on_host<Execution>) {
    index_t const parts = Execution().concurrency();
    Kokkos::parallel_reduce(
        Kernel::name(), Policy(0, parts),
        detail::HostReduce<Walk<Layout, E>, Kernel, W, Sum>(walk, kernel, parts), into);
  } else if (W > 1 && walk.runs() > 1 && walk.run_length() % W != 0) {
    reduce<Execution>(walk, kernel, result, Packs<1>{});
  } else {
    auto const launch = [&]<class Loop>(Loop const& loop) {
      using Bounded =
          Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>, typename Loop::Bounds>;
      Kokkos::parallel_reduce(Kernel::name(), Bounded(0, loop.items()), loop, into);
    };
    using Visited = Walk<Layout, E>;
    index_t const concurrency = Execution().concurrency();
    if (detail::DeviceLoop<Visited, Kernel, W, true>::is_even(walk))
      launch(detail::DeviceReduce<Visited, Kernel, W, true, Sum>(walk, kernel, concurrency));
    else
      launch(detail::DeviceReduce<Visited, Kernel, W, false, Sum>(walk, kernel, concurrency));
  }
}

} // namespace strata
