#pragma once

#include "array/layout/layout.hpp"
#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <string>
#include <type_traits>
#include <utility>

// The loops that set inputs, overwrite outputs and check answers. They share no code with the
// measured launches (array/launch/for_each.hpp): a launch that missed an index would miss it in
// the answer and in the check. Each loop counts the indices that it visits.

namespace strata::verify {

/// A sum and the number of indices that it covers.
template <class Sum>
struct Counted
{
  Sum sum{};
  index_t visited = 0;

  KOKKOS_FUNCTION Counted& operator+=(Counted const& other)
  {
    sum += other.sum;
    visited += other.visited;
    return *this;
  }
};

namespace detail {

struct Nothing
{
  KOKKOS_FUNCTION Nothing& operator+=(Nothing const&) { return *this; }
};

/// Work item k visits the k-th run of consecutive elements along the fastest index: on a host a
/// long one, so that the index is divided once per run, on a GPU one element.
template <class Sum, int Rank, bool first_is_fastest, class Kernel>
class EveryIndex
{
public:
  using value_type = Counted<Sum>;
  static constexpr index_t stretch = device_is_host ? 1024 : 1;

  template <class E>
  EveryIndex(E const& extents, Kernel const& kernel)
      : kernel_(kernel)
  {
    for (int r = 0; r < Rank; ++r) {
      sizes_[r] = static_cast<index_t>(extents.extent(static_cast<std::size_t>(r)));
      count_ *= sizes_[r];
    }
    stretches_ = (sizes_[fastest] + stretch - 1) / stretch;
  }

  [[nodiscard]] index_t count() const { return count_; }
  [[nodiscard]] index_t items() const
  {
    return count_ == 0 ? 0 : count_ / sizes_[fastest] * stretches_;
  }

  KOKKOS_FUNCTION void operator()(index_t item, Counted<Sum>& into) const
  {
    index_t at[Rank] = {};
    index_t const begin = item % stretches_ * stretch;
    index_t const end = begin + stretch < sizes_[fastest] ? begin + stretch : sizes_[fastest];
    index_t rest = item / stretches_;
    for (int k = 1; k < Rank; ++k) {
      int const r = first_is_fastest ? k : Rank - 1 - k;
      at[r] = rest % sizes_[r];
      rest /= sizes_[r];
    }
    Counted<Sum> mine; // local, so that no store can alias it
    for (index_t i = begin; i < end; ++i) {
      at[fastest] = i;
      call(mine.sum, at, std::make_integer_sequence<int, Rank>{});
      ++mine.visited;
    }
    into += mine;
  }
  KOKKOS_FUNCTION void join(Joined<Counted<Sum>>& into, Joined<Counted<Sum>> const& other) const
  {
    const_cast<Counted<Sum>&>(into) += const_cast<Counted<Sum> const&>(other);
  }

private:
  static constexpr int fastest = first_is_fastest ? 0 : Rank - 1;

  template <int... R>
  KOKKOS_FUNCTION void call(Sum& sum, index_t const (&at)[Rank],
                            std::integer_sequence<int, R...>) const
  {
    if constexpr (std::is_same_v<Sum, Nothing>)
      kernel_(at[R]...);
    else
      kernel_(sum, at[R]...);
  }

  Kernel kernel_;
  index_t sizes_[Rank] = {};
  index_t count_ = 1;
  index_t stretches_ = 0;
};

template <class Sum, class Layout, class E, class Kernel>
Sum visit_every(E const& extents, Kernel const& kernel)
{
  EveryIndex<Sum, static_cast<int>(E::rank()), std::is_same_v<Layout, LayoutLeft>, Kernel> const
      loop(extents, kernel);
  Counted<Sum> found;
  Kokkos::parallel_reduce(
      Kernel::name(), Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, loop.items()),
      loop, found);
  STRATA_CHECK(found.visited == loop.count(), std::string(Kernel::name()) + " saw " +
                                                  std::to_string(found.visited) + " of " +
                                                  std::to_string(loop.count()) + " indices");
  return found.sum;
}

} // namespace detail

/// Calls kernel(i...) for every index of the extents on the device; the fastest index of Layout
/// is innermost. Returns when all calls are done.
template <class Layout = LayoutRight, class E, class Kernel>
void for_every(E const& extents, Kernel const& kernel)
{
  detail::visit_every<detail::Nothing, Layout>(extents, kernel);
}
template <class Kernel>
void for_every(index_t count, Kernel const& kernel)
{
  for_every(Dynamic<1>(count), kernel);
}

/// The sum that kernel(sum, i...) accumulates over every index of the extents, from Sum{}; Sum
/// has +=.
template <class Sum, class Layout = LayoutRight, class E, class Kernel>
Sum sum_of_every(E const& extents, Kernel const& kernel)
{
  return detail::visit_every<Sum, Layout>(extents, kernel);
}
template <class Sum, class Kernel>
Sum sum_of_every(index_t count, Kernel const& kernel)
{
  return sum_of_every<Sum>(Dynamic<1>(count), kernel);
}

} // namespace strata::verify
