#pragma once

#include "columns.hpp"

#include "array/launch/sums.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::mgs {

/// Sums over rows of up to 2 N columns on a GPU, as partial sums for AddParts. A team is one
/// warp, whose halves take every second column of the same 16 packs of W rows: an access of the
/// warp is to whole cache lines of two columns, and a launch handles 32 columns. Sums stay in
/// registers for the whole launch; Kokkos' reductions suit work items that need few registers.
template <class Kernel, int N, int W>
struct TeamSums
{
  static constexpr char const* name() { return Kernel::name(); }
  static constexpr int members = 32;
  /// As many teams as have registers for their sums and the loads in flight.
  static constexpr unsigned teams_at_once = N > 8 ? 8 : N > 4 ? 12 : 16;
  static constexpr int width = 2 * N; ///< values of a part
  static constexpr std::size_t scratch_bytes =
      Kernel::template fast_size<width> * sizeof(double);
  static_assert(width <= members);

  Kernel kernel;
  index_t rows;
  index_t teams;
  double* parts; ///< teams × width

  /// Teams of the launch: as many as the device runs at once, but no more than there is work.
  static index_t teams_for(index_t rows)
  {
    return std::min((rows + step - 1) / step, teams_of_device<TeamSums>());
  }
  static index_t values_for(index_t rows) { return teams_for(rows) * width; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Stripe<2> const columns{team.rank() / half};
    int const mine = team.rank() % half;
    auto const wait = [&] { team.barrier(); };
    index_t const whole = rows / step * step;
    auto const same = once(team);
    Sums<double, N> sums;
    for (index_t first = team.index() * step; first < whole; first += teams * step) {
      if constexpr (W > 1)
        kernel.template add<N>(sums, PackIndex<W>{first + mine * W}, columns, same, true, wait);
      else
        kernel.template add<N>(sums, first + mine, columns, same, true, wait);
    }
    if (team.index() == teams - 1)
      for (index_t first = whole; first < rows; first += half) {
        bool const real = first + mine < rows;
        kernel.template add<N>(sums, real ? first + mine : rows - 1, columns, same, real, wait);
      }
    double both[width];
    unrolled<N>([&](auto n) {
      both[2 * n] = columns.part == 0 ? sums[n] : 0;
      both[2 * n + 1] = columns.part == 1 ? sums[n] : 0;
    });
    team.sum(both);
    unrolled<width>([&](auto n) {
      if (team.rank() == n)
        parts[team.index() * width + n] = both[n];
    });
  }

private:
  template <class Team>
  KOKKOS_FUNCTION auto once(Team const& team) const
  {
    if constexpr (scratch_bytes == 0)
      return kernel.once();
    else {
      auto* const fast = static_cast<double*>(team.scratch());
      auto const same = kernel.template once<width>(fast, team.rank(), members);
      team.barrier();
      return same;
    }
  }
  static constexpr int half = members / 2;
  static constexpr int step = half * W; ///< rows of a team at a time
};

} // namespace strata::mgs
