#pragma once

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "tiles/tile_factor.hpp"
#include "tiles/tiles.hpp"

#include <cstddef>

namespace strata::mgs {

/// TileFactorKernel of all columns, and U⁻¹ in rows of most_tile_columns, with zeros below the
/// diagonal and for columns that there are not.
struct InverseFactor
{
  static constexpr char const* name() { return "strata::mgs::InverseFactor"; }
  static constexpr int members = 256;
  static constexpr std::size_t scratch_bytes = TileFactorKernel::scratch_bytes;

  TileFactorKernel of;
  double* inverse;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto* const u = static_cast<double*>(team.scratch());
    of.run(team, u);
    for (int k = team.rank(); k < size; k += Team::size)
      invert(k, u);
  }

private:
  static constexpr int size = TileFactorKernel::most;

  /// Column k of U⁻¹, by back substitution.
  KOKKOS_FUNCTION void invert(int k, double const* u) const
  {
    int const count = static_cast<int>(of.factor.panel.count);
    double y[size];
    unrolled<size>([&](auto i) { y[i] = i == k && k < count ? 1 : 0; });
    unrolled<size>([&](auto from_end) {
      constexpr int m = size - 1 - decltype(from_end)::value;
      if (m >= count)
        return;
      y[m] *= TileFactorKernel::inverse_of(u, m);
      unrolled<m>([&](auto i) { y[i] -= u[i * TileFactorKernel::pitch + m] * y[m]; });
    });
    unrolled<size>([&](auto i) { inverse[i * size + k] = y[i]; });
  }
};

} // namespace strata::mgs
