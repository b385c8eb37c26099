#pragma once

#include "array/launch/host_loop.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

// What a host does before and between launches, by all of its threads.

namespace strata::contact {

namespace detail {

template <class F>
struct HostStretches
{
  F const& f;
  index_t count;
  index_t parts;

  void operator()(index_t part) const
  {
    f(first_of_part(count, part, parts), first_of_part(count, part + 1, parts));
  }
};

} // namespace detail

/// Divides [0, count) into one contiguous range per host thread, calls f(first, last) for each
/// on its thread, and waits.
template <class F>
void in_stretches(char const* label, index_t count, F const& f)
{
  using Policy = Kokkos::RangePolicy<Host, Kokkos::IndexType<index_t>>;
  index_t const parts = Host().concurrency();
  Kokkos::parallel_for(label, Policy(0, parts), detail::HostStretches<F>{f, count, parts});
  Host().fence();
}

/// Calls f(i) for every i in [0, count).
template <class F>
void for_each_on_host(char const* label, std::size_t count, F const& f)
{
  in_stretches(label, static_cast<index_t>(count), [&](index_t first, index_t last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
      f(i);
  });
}

/// Each thread sorts a range; the ranges are then merged pairwise.
template <class T>
void sort_on_host(char const* label, std::vector<T>& values)
{
  auto const count = static_cast<index_t>(values.size());
  index_t const parts = Host().concurrency();
  auto const at = [&](index_t part) {
    return values.begin() + first_of_part(count, std::min(part, parts), parts);
  };
  in_stretches(label, parts, [&](index_t first, index_t last) {
    for (index_t part = first; part < last; ++part)
      std::sort(at(part), at(part + 1));
  });
  for (index_t width = 1; width < parts; width *= 2)
    for_each_on_host(label, static_cast<std::size_t>((parts + 2 * width - 1) / (2 * width)),
                     [&](std::size_t pair) {
                       index_t const part = 2 * width * static_cast<index_t>(pair);
                       std::inplace_merge(at(part), at(part + width), at(part + 2 * width));
                     });
}

/// The largest of value(i) for i in [0, count), at least 0.
template <class Value>
double largest_of(char const* label, std::size_t count, Value const& value)
{
  std::mutex lock;
  double largest = 0;
  in_stretches(label, static_cast<index_t>(count), [&](index_t first, index_t last) {
    double mine = 0;
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
      mine = std::max(mine, value(i));
    std::scoped_lock const hold(lock);
    largest = std::max(largest, mine);
  });
  return largest;
}

} // namespace strata::contact
