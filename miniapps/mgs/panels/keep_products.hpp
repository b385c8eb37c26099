#pragma once

#include "blocks.hpp"

#include "base/kokkos.hpp"

namespace strata::mgs {

/// R(left, right) = S, the products of both; `again`: R(left, right) += S·R(right, right),
/// which is upper triangular. A work item is a left and a right column.
struct KeepProducts
{
  static constexpr char const* name() { return "strata::mgs::KeepProducts"; }
  PanelPair of;
  double const* products;
  double* r;
  index_t pitch; ///< of r's rows
  bool again;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const row = item / of.right.count;
    index_t const column = item % of.right.count;
    double& kept = r[(of.left.first + row) * pitch + of.right.first + column];
    if (!again) {
      kept = products[of.at(row, column)];
      return;
    }
    double sum = 0;
    for (index_t b = 0; b <= column; ++b)
      sum +=
          products[of.at(row, b)] * r[(of.right.first + b) * pitch + of.right.first + column];
    kept += sum;
  }
};

} // namespace strata::mgs
