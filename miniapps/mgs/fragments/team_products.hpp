#pragma once

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "tiles/warp_products.hpp"

#include <cstddef>

namespace strata::mgs {

/// Adds up the products of a team's warps, in its scratch memory.
template <int Units, int Warps>
struct TeamProducts
{
  using Sums = WarpProducts<Units>;
  static constexpr int warp = Sums::members;
  static constexpr std::size_t scratch_bytes = sizeof(double) * Sums::values * warp * Warps;

  /// to[row·columns + column] = Σ of all warps' products, on and above the diagonal.
  template <class Team>
  static KOKKOS_FUNCTION void leave(Team const& team, Sums& products, int columns, double* to)
  {
    int const lane = team.rank() % warp;
    double* const all = static_cast<double*>(team.scratch()) + lane;
    double* const own = all + team.rank() / warp * Sums::values * warp;
    products.each_value([&](int n, double value) { own[n * warp] = value; });
    team.barrier();
    if (team.rank() >= warp)
      return;
    products.each_value([&](int n, double& value) {
      value = 0;
      for (int w = 0; w < Warps; ++w)
        value += all[(w * Sums::values + n) * warp];
    });
    products.for_each(lane, Units, Units, [&](int row, int column, double sum) {
      if (row < columns && column < columns)
        to[row * columns + column] = sum;
    });
  }
};

} // namespace strata::mgs
