#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>

// R from the products that an algorithm has kept, one work item for each of its elements.

namespace strata::mgs {

/// R(j, k) from the products of columns before they were normalised.
struct FinishFused
{
  static constexpr char const* name() { return "strata::mgs::FinishFused"; }
  double const* products;
  double* r;
  index_t pitch, columns;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const j = item / columns;
    index_t const k = item % columns;
    double const norm = std::sqrt(products[j * pitch + j]);
    if (k >= j)
      r[j * pitch + k] = k == j ? norm : products[j * pitch + k] / norm;
  }
};

/// R(k, j) from the projections of column j, which were made once or twice.
struct FinishClassical
{
  static constexpr char const* name() { return "strata::mgs::FinishClassical"; }
  double const* first;
  double const* again; ///< or null
  double* r;
  index_t pitch, columns;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const j = item / columns;
    index_t const k = item % columns;
    if (k < j)
      r[k * pitch + j] = first[j * pitch + k] + (again == nullptr ? 0 : again[j * pitch + k]);
  }
};

} // namespace strata::mgs
