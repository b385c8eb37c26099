#pragma once

#include "sums.hpp"
#include "walk.hpp"

#include "../../base/kokkos.hpp"
#include "../access/access.hpp"

#include <algorithm>
#include <type_traits>

// What a launch on a host does with a walk and a kernel.

namespace strata {

/// First item of part `part` when `total` items are divided into `parts`, which differ in size
/// by at most one item.
inline index_t first_of_part(index_t total, index_t part, index_t parts)
{
  return total / parts * part + std::min(part, total % parts);
}

} // namespace strata

namespace strata::detail {

/// The functor that Kokkos gets for a host launch: it calls one part of a loop that outlives
/// the launch. All loops share this type, so that Kokkos' code is compiled once instead of once
/// per kernel. It costs each thread one indirect call per launch.
struct HostCall
{
  void (*stretch)(void const* loop, index_t part);
  void const* loop;

  void operator()(index_t part) const { stretch(loop, part); }
};
template <class Sum>
struct HostSumCall
{
  using value_type = Sum;
  void (*stretch)(void const* loop, index_t part, Sum& sum);
  void const* loop;

  void operator()(index_t part, Sum& sum) const { stretch(loop, part, sum); }
  void join(Joined<Sum>& sum, Joined<Sum> const& other) const
    requires std::is_class_v<Sum>
  {
    const_cast<Sum&>(sum) += const_cast<Sum const&>(other);
  }
};

/// Host: the walk in `parts` equal stretches, each visited by one thread in memory order. The
/// kernel is copied to that thread's stack, where no store can alias its members as long as the
/// compiler sees all of its uses: what calls it is inlined always.
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
  [[nodiscard]] index_t parts() const { return parts_; }

protected:
  /// Calls f(outer, begin, end) for each piece of a run in stretch `part`. A walk whose runs
  /// have different lengths has its own `pieces`.
  template <class F>
  [[gnu::always_inline]] void pieces(index_t part, F const& f) const
  {
    if constexpr (requires { walk_.template pieces<step, W>(part, parts_, f); })
      walk_.template pieces<step, W>(part, parts_, f);
    else
      equal_pieces(part, f);
  }

  Walk walk_;
  Kernel kernel_;
  index_t parts_;

private:
  // Stretches begin at multiples of a cache line of doubles, so that no two threads share a
  // line.
  static constexpr index_t step = std::max(W, 8);

  template <class F>
  [[gnu::always_inline]] void equal_pieces(index_t part, F const& f) const
  {
    index_t const steps = (walk_.run_length() + step - 1) / step; // per run
    index_t const total = steps * walk_.runs();
    index_t at = first_of_part(total, part, parts_);
    index_t const end = first_of_part(total, part + 1, parts_);
    if (at >= end)
      return;
    index_t const run = at / steps;
    index_t first = at - run * steps;
    auto outer = walk_.outer(run);
    for (;;) {
      index_t const last = std::min(steps, first + (end - at));
      f(outer, first * step, std::min(last * step, walk_.length_of(outer)));
      at += last - first;
      if (at >= end)
        return;
      first = 0;
      walk_.to_next(outer); // a division per run would delay the loads of short ones
    }
  }
};

/// A kernel declares `fetches_ahead` if it reads more streams than a hardware prefetcher
/// follows, or computes much between its loads: each access then prefetches for a later pack.
template <class Kernel>
concept FetchesAhead = requires { requires Kernel::fetches_ahead; };

template <class Walk, class Kernel, int W>
struct HostFor : HostLoop<Walk, Kernel, W>
{
  using HostLoop<Walk, Kernel, W>::HostLoop;

  [[nodiscard]] HostCall call() const
  {
    return {[](void const* loop, index_t part) { (*static_cast<HostFor const*>(loop))(part); },
            this};
  }
  void operator()(index_t part) const
  {
    Kernel const kernel = this->kernel_;
    Walk const walk = this->walk_;
    this->pieces(part, [&](auto const& outer, index_t begin, index_t end) {
      if constexpr (W > 1) {
        index_t i = begin;
        if constexpr (FetchesAhead<Kernel>)
          for (; i + elements_ahead + W <= end; i += W)
            walk.call(kernel, outer, LeadingIndex<W>{{i}});
        for (; i + W <= end; i += W)
          walk.call(kernel, outer, PackIndex<W>{i});
        for (; i < end; ++i)
          walk.call(kernel, outer, i);
      } else {
#if defined(STRATA_PLAIN_ATOMICS)
        // iterations may depend on each other through atomics, which are plain accesses here
#elif defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep // work items of a launch are independent
#endif
        for (index_t i = begin; i < end; ++i)
          walk.call(kernel, outer, i);
      }
    });
    if constexpr (W > 1)
      streaming_fence();
  }
};

template <class Walk, class Kernel, int W, class Sum>
struct HostReduce : HostLoop<Walk, Kernel, W>
{
  using HostLoop<Walk, Kernel, W>::HostLoop;

  [[nodiscard]] HostSumCall<Sum> call() const
  {
    return {[](void const* loop, index_t part, Sum& sum) {
              (*static_cast<HostReduce const*>(loop))(part, sum);
            },
            this};
  }
  void operator()(index_t part, Sum& sum) const
  {
    Kernel const kernel = this->kernel_;
    Walk const walk = this->walk_;
    Sum single{};
    if constexpr (W > 1) {
      constexpr index_t chains = detail::chains<Sum>(4);
      typename PartialSum<Sum, W>::type lanes[chains] = {};
      this->pieces(part, [&](auto const& outer, index_t begin, index_t end) {
        index_t i = begin;
        for (; i + chains * W <= end; i += chains * W)
          for (index_t c = 0; c < chains; ++c)
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

} // namespace strata::detail
