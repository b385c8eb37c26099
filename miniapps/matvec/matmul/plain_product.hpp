#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::matvec {

/// C(i, j) = Σ_k A(i, k) B(k, j), the inner product of S5 Fig 16: one work item per element; a
/// host's thread computes row by row.
template <class Left, class Right, class Output>
struct PlainProduct
{
  static constexpr char const* name() { return "strata::matvec::PlainProduct"; }
  Left A;
  Right B;
  Output C;

  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const
  {
    typename Output::value_type sum{};
    for (index_t k = 0; k < A.extent(1); ++k)
      sum += A(i, k) * B(k, j);
    C(i, j) = sum;
  }
};

} // namespace strata::matvec
