#pragma once

#include "every.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "base/kokkos.hpp"

namespace strata::verify {

/// Replaces an infinite error or a NaN, which compares false, by the largest double.
KOKKOS_FUNCTION inline double or_largest(double error)
{
  constexpr double largest = 1.7976931348623157e308;
  return error <= largest ? error : largest;
}

/// |value − expected| / |expected|, absolute where that is 0; the largest double
/// where it is NaN or infinite.
KOKKOS_FUNCTION inline double relative_error(double value, double expected)
{
  double const scale = expected < 0 ? -expected : expected;
  double const distance = value < expected ? expected - value : value - expected;
  return or_largest(scale > 0 ? distance / scale : distance);
}

namespace detail {

template <class Values, class Expected>
struct LargestError
{
  static constexpr char const* name() { return "strata::verify::LargestError"; }
  Values values;
  Expected expected;

  template <class... I>
  KOKKOS_FUNCTION void operator()(Largest& largest, I... i) const
  {
    largest +=
        relative_error(static_cast<double>(values(i...)), static_cast<double>(expected(i...)));
  }
};

} // namespace detail

/// The largest relative error of `values`, a span on the device, at every index against
/// `expected(indices...)`. See relative_error.
template <class Values, class Expected>
double largest_error(Values const& values, Expected const& expected)
{
  detail::LargestError<Values, Expected> const kernel{values, expected};
  return sum_of_every<Largest, typename Values::layout_type>(values.extents(), kernel).value;
}

} // namespace strata::verify
