#pragma once

#include "sums.hpp"
#include "unroll.hpp"
#include "walk.hpp"

#include "../../base/kokkos.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

// What a launch on a GPU does with a walk and a kernel.

namespace strata {

/// How a launch on an NVIDIA GPU is divided, in place of the core's own choice, which 0 leaves:
/// threads of a block, steps of a thread (of a sum, those in flight at once), and, of a sum
/// alone, blocks that a multiprocessor holds at once. Other devices' launches do not heed it.
template <int Block = 0, int Steps = 0, int AtOnce = 0>
struct Tuning
{
  static constexpr int block = Block;
  static constexpr int steps = Steps;
  static constexpr int at_once = AtOnce;
};

} // namespace strata

namespace strata::detail {

/// `asked`, or `own` where nothing is asked for.
constexpr int tuned(int asked, int own)
{
  return asked > 0 ? asked : own;
}

/// Kokkos reports a GPU's concurrency as this many threads per multiprocessor.
inline constexpr index_t multiprocessor_items = 2048;

/// Whether a kernel says that it reads nothing.
template <class Kernel>
concept OnlyWrites =
    requires(Kernel kernel) { requires std::tuple_size_v<decltype(kernel.reads())> == 0; };

/// Whether a kernel says that it writes nothing: what it reads may be read once more.
template <class Kernel>
concept OnlyReads =
    requires(Kernel kernel) { requires std::tuple_size_v<decltype(kernel.writes())> == 0; };

/// Resident blocks per multiprocessor that a kernel asks for (CUDA's launch bounds): the
/// compiler limits registers accordingly.
template <class Kernel>
inline constexpr unsigned blocks_at_once = 1;
template <class Kernel>
  requires(Kernel::blocks_at_once > 0)
inline constexpr unsigned blocks_at_once<Kernel> = Kernel::blocks_at_once;

/// Device: the walk as steps of one pack (or element) each, numbered along the runs. Even
/// promises that there is no partial pack and fewer than 2^31 steps: a step then has no branch,
/// so that the loads of several steps can be in flight.
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

  /// Whether the steps are whole packs and one partial pack at the end.
  static constexpr bool partial_at_end = Walk::one_run && !Even && W > 1;

  [[nodiscard]] KOKKOS_FUNCTION index_t whole_steps() const
  {
    return partial_at_end ? walk_.run_length() / W : total_;
  }
  /// One of the first `whole_steps`: without a branch, as Even's.
  template <class... Sum>
  KOKKOS_FUNCTION void visit_whole(index_t step, Sum&... sum) const
  {
    if constexpr (partial_at_end)
      walk_.call(kernel_, walk_.template outer<Even>(0), PackIndex<W>{step * W}, sum...);
    else
      visit(step, sum...);
  }

  Walk walk_;
  Kernel kernel_;
  Divisor steps_; ///< per run
  index_t total_;

private:
  /// Visits a whole pack at once, a partial one element by element.
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
  template <class Outer, class T, int Width, int N>
  KOKKOS_FUNCTION void visit_one(Outer const& outer, index_t i,
                                 Sums<Pack<T, Width>, N>& sums) const
  {
    Sums<T, N> one{};
    walk_.call(kernel_, outer, i, one);
    for (int n = 0; n < N; ++n)
      sums[n].lane[0] += one[n];
  }
};

/// A thread does one step, or two steps one block apart if the kernel only writes: then the
/// rate at which blocks start would limit it. Blocks have 128 threads: smaller ones reach less
/// bandwidth, and larger ones gain nothing.
template <class Walk, class Kernel, int W, bool Even, class Tuned = Tuning<>>
class DeviceFor : public DeviceLoop<Walk, Kernel, W, Even>
{
public:
  using DeviceLoop<Walk, Kernel, W, Even>::DeviceLoop;
  static constexpr int block = tuned(Tuned::block, 128);
  static constexpr unsigned blocks_at_once = detail::blocks_at_once<Kernel>;
  using Bounds = Kokkos::LaunchBounds<block, blocks_at_once>;

  [[nodiscard]] KOKKOS_FUNCTION index_t items() const
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
  static constexpr index_t unroll = tuned(Tuned::steps, (OnlyWrites<Kernel> && W > 1) ? 2 : 1);
};

/// Launches a quarter of the threads that the device can hold, in large blocks. Each strides
/// over the steps with `unroll` of them in flight: a reduction needs many independent loads.
/// Sums of several values use more threads, because their loops wait for one load after another
/// and need registers; their block size is chosen so that the wanted number of blocks is
/// resident: each reserves a kilobyte of shared memory that Kokkos 4.6 leaves out when it
/// computes occupancy. Fewer threads are launched if each then has whole groups of steps.
template <class Walk, class Kernel, int W, bool Even, class Sum,
          index_t unroll = steps_in_flight<Sum, W>, class Tuned = Tuning<>>
class DeviceReduce : public DeviceLoop<Walk, Kernel, W, Even>
{
public:
  using value_type = Sum;
  static constexpr bool several = sizeof(Sum) > 2 * sizeof(double);
  static constexpr int block = tuned(Tuned::block, several ? 128 : 256);
  /// Per multiprocessor.
  static constexpr int blocks_at_once = tuned(Tuned::at_once, several ? 6 : 2);
  using Bounds = Kokkos::LaunchBounds<block, blocks_at_once>; ///< registers for all those loads

  /// A thread has at least `least` steps, where a block then has all of them.
  DeviceReduce(Walk const& walk, Kernel const& kernel, index_t concurrency, index_t least = 1)
      : DeviceLoop<Walk, Kernel, W, Even>(walk, kernel)
      , items_(items_for(
            this->total_,
            std::max<index_t>(1, concurrency / multiprocessor_items * (block * blocks_at_once)),
            least))
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t items() const { return items_; }

  KOKKOS_FUNCTION void operator()(index_t item, Sum& sum) const
  {
    Partial partial[unroll] = {};
    index_t const rest = add_groups<unroll>(item, partial);
    if constexpr (unroll > 1 && OnlyReads<Kernel>)
      add_rest<unroll>(rest, partial);
    else
      add_halves<unroll / 2>(rest, partial);
    if constexpr (DeviceReduce::partial_at_end)
      if (item == 0)
        this->visit(this->whole_steps(), partial[0]);
    for (auto const& p : partial)
      sum += lane_sum(p);
  }
  KOKKOS_FUNCTION void join(Joined<Sum>& sum, Joined<Sum> const& other) const
    requires std::is_class_v<Sum>
  {
    const_cast<Sum&>(sum) += const_cast<Sum const&>(other);
  }

private:
  using Partial = typename PartialSum<Sum, W>::type;

  /// Threads to launch: whole warps, so that each warp loads whole cache lines.
  static index_t items_for(index_t steps, index_t most, index_t least)
  {
    constexpr index_t warp = 32;
    index_t each =
        std::max((steps + most - 1) / most, std::min(least, (steps + block - 1) / block));
    if (each > unroll)
      each = (each + unroll - 1) / unroll * unroll;
    index_t const items = each > 0 ? (steps + each - 1) / each : 1;
    return (items + warp - 1) / warp * warp;
  }
  /// Visits every items_-th step from `step` on, N at a time; returns the first one left.
  template <index_t N>
  KOKKOS_FUNCTION index_t add_groups(index_t step, Partial (&partial)[unroll]) const
  {
    for (; is_whole(step + (N - 1) * items_); step += N * items_)
      unrolled<N>([&](auto u) { this->visit_whole(step + u * items_, partial[u]); });
    return step;
  }
  /// The steps that are left, fewer than 2 N: N at a time, then N / 2 and so on.
  template <index_t N>
  KOKKOS_FUNCTION void add_halves(index_t step, Partial (&partial)[unroll]) const
  {
    if constexpr (N > 0)
      add_halves<N / 2>(add_groups<N>(step, partial), partial);
  }
  /// The steps that are left, fewer than N, in one group, so that their loads are all in flight
  /// at once. In place of a step that is not there it visits the first one again, and drops the
  /// sum.
  template <index_t N>
  KOKKOS_FUNCTION void add_rest(index_t step, Partial (&partial)[unroll]) const
  {
    if constexpr (N > 1) {
      if (!is_whole(step + N / 2 * items_))
        return add_rest<N / 2>(step, partial);
      unrolled<N>([&](auto u) {
        index_t const at = step + u * items_;
        Partial sum{};
        this->visit_whole(is_whole(at) ? at : step, sum);
        if (is_whole(at))
          partial[u] += sum;
      });
    } else if (is_whole(step)) {
      this->visit_whole(step, partial[0]);
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION bool is_whole(index_t step) const
  {
    return step < this->whole_steps();
  }

  index_t items_;
};

} // namespace strata::detail
