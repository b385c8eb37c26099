#pragma once

#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"

namespace strata::mgs {

/// C += A·B of 16 × 8 and 8 × 8 numbers by 32 members of a team, which hold fragments of them
/// as nvidia::add_product has it. Devices without its instruction fetch every number.
template <class Team>
KOKKOS_FUNCTION void add_fragments([[maybe_unused]] Team const& team, double (&c)[4],
                                   double const (&a)[4], double const (&b)[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  nvidia::add_product(c, a, b);
#else
  constexpr int warp = 32;
  int const g = team.rank() % warp / 4;
  int const t = team.rank() % 4;
  for (int k = 0; k < 8; ++k) {
    double const low = team.template value_of<warp>(a[k / 4 * 2], 4 * g + k % 4);
    double const high = team.template value_of<warp>(a[k / 4 * 2 + 1], 4 * g + k % 4);
    double const even = team.template value_of<warp>(b[k / 4], 8 * t + k % 4);
    double const odd = team.template value_of<warp>(b[k / 4], 8 * t + 4 + k % 4);
    c[0] += low * even;
    c[1] += low * odd;
    c[2] += high * even;
    c[3] += high * odd;
  }
#endif
}

} // namespace strata::mgs
