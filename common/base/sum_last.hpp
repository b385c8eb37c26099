#pragma once

#include "kokkos.hpp"
#include "types.hpp"

namespace strata {

/// Adapts a kernel (sum, indices...) to Kokkos::parallel_reduce over one, three or four
/// indices, which passes the sum last.
template <class Kernel>
struct SumLast
{
  using value_type = double; // Kokkos deduces none where there are several forms
  Kernel kernel;

  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const { kernel(sum, i); }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, double& sum) const
  {
    kernel(sum, i, j, k);
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, index_t l, double& sum) const
  {
    kernel(sum, i, j, k, l);
  }
};

} // namespace strata
