#pragma once

#include "base/kokkos.hpp"

#include <cmath>

namespace strata::mgs {

/// Whether a bound of the row sums of |D·U⁻¹| is greater than `most`, with U upper triangular,
/// `size` rows `pitch` apart, and D = diag(√squares(j)), the norms of the columns that U is a
/// factor of. No rounding of one of their products grows by more in U⁻ᵀ·(products). The bound
/// solves the comparison matrix, with 1 on the right-hand side. At most Most columns; by all
/// members of the team. Source: Higham, Accuracy and Stability of Numerical Algorithms, section
/// 8.3.
template <int Most, class Team, class Squares>
KOKKOS_FUNCTION bool grows_more_than(double most, Team const& team, double const* u, int pitch,
                                     int size, Squares const& squares)
{
  constexpr int lanes = Team::size < Most ? Team::size : Most;
  constexpr int each = Most / lanes; // rows of a member
  bool grows = false;
  if (team.rank() < lanes) {
    double sum[each];
    for (double& one : sum)
      one = 1;
    for (int k = size - 1; k >= 0; --k) {
      double const mine = sum[k / lanes] / u[k * pitch + k];
      double const y = team.template value_of<lanes>(mine, k % lanes);
      grows = grows || !(y * std::sqrt(squares(k)) <= most); // NaN, too
      for (int c = 0; c < each; ++c)
        if (int const j = team.rank() + c * lanes; j < k)
          sum[c] += std::abs(u[j * pitch + k]) * y;
    }
  }
  return team.any(grows);
}

} // namespace strata::mgs
