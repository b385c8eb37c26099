#pragma once

#include "every.hpp"

#include "base/kokkos.hpp"

namespace strata::verify {

/// The larger error; NaN where one is, which a comparison alone would lose.
KOKKOS_FUNCTION inline double worse(double one, double other)
{
  return one != one || other <= one ? one : other;
}

/// The largest error of a reduction; NaN where one is.
struct Worst
{
  double value = 0;

  KOKKOS_FUNCTION Worst& operator+=(Worst const& other) { return *this += other.value; }
  KOKKOS_FUNCTION Worst& operator+=(double other)
  {
    value = worse(value, other);
    return *this;
  }
};

/// |value − expected| / |expected|, absolute where that is 0; NaN or infinite where one of them
/// is.
KOKKOS_FUNCTION inline double relative_error(double value, double expected)
{
  double const scale = expected < 0 ? -expected : expected;
  double const distance = value < expected ? expected - value : value - expected;
  return scale > 0 ? distance / scale : distance;
}

namespace detail {

template <class Values, class Expected>
struct LargestError
{
  static constexpr char const* name() { return "strata::verify::LargestError"; }
  Values values;
  Expected expected;

  template <class... I>
  KOKKOS_FUNCTION void operator()(Worst& worst, I... i) const
  {
    worst +=
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
  return sum_of_every<Worst, typename Values::layout_type>(values.extents(), kernel).value;
}

} // namespace strata::verify
