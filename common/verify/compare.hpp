#pragma once

#include "array/for_each.hpp"
#include "base/kokkos.hpp"

namespace strata::verify {

/// |value − expected| / |expected|, absolute where that is 0; the largest double
/// where it is NaN or infinite.
KOKKOS_FUNCTION inline double relative_error(double value, double expected)
{
  double const scale = expected < 0 ? -expected : expected;
  double const distance = value < expected ? expected - value : value - expected;
  double const error = scale > 0 ? distance / scale : distance;
  return error <= 1.7976931348623157e308 ? error : 1.7976931348623157e308;
}

namespace detail {

template <class Walk, class Values, class Expected>
struct LargestError
{
  Walk walk;
  Values values;
  Expected expected;
  index_t steps;

  struct At
  {
    Values values;
    Expected expected;
    template <class... I>
    KOKKOS_FUNCTION void operator()(double& largest, I... i) const
    {
      double const error = relative_error(static_cast<double>(values(i...)),
                                          static_cast<double>(expected(i...)));
      if (error > largest)
        largest = error;
    }
  };

  KOKKOS_FUNCTION void operator()(index_t item, double& largest) const
  {
    index_t const run = item / steps;
    auto const outer = walk.outer(run);
    if (item - run * steps < walk.length_of(outer))
      walk.call(At{values, expected}, outer, item - run * steps, largest);
  }
};

} // namespace detail

/// The largest relative error of `values` over every index of `walk` against
/// `expected(indices...)`, computed on Execution. See relative_error.
template <class Execution = Device, class Walk, class Values, class Expected>
double largest_error(Walk const& walk, Values const& values, Expected const& expected)
{
  double largest = 0;
  Kokkos::parallel_reduce(
      "strata::verify::LargestError",
      Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>(0, walk.runs() *
                                                                        walk.run_length()),
      detail::LargestError<Walk, Values, Expected>{walk, values, expected, walk.run_length()},
      Kokkos::Max<double>(largest));
  return largest > 0 ? largest : 0; // of no index: below every number
}

} // namespace strata::verify
