#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::mgs::vendor {

/// r(j, k) = a(j, k) of the upper triangle: from the library's columns to the rows of R.
struct TakeTriangle
{
  static constexpr char const* name() { return "strata::mgs::TakeTriangle"; }
  double const* a;
  index_t stride;
  double* r;
  index_t pitch, columns;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const j = item / columns;
    index_t const k = item % columns;
    if (j <= k)
      r[j * pitch + k] = a[k * stride + j];
  }
};

} // namespace strata::mgs::vendor
