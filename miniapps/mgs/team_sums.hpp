#pragma once

#include "kernels.hpp"

#include "array/sums.hpp"
#include "array/team.hpp"
#include "array/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>

namespace strata::mgs {

/// N sums over rows on a GPU, as parts for AddParts. A team is one warp, whose members' sums
/// stay in registers for the whole launch: Kokkos' reductions start at most as many blocks as
/// one has threads, too few for work items that need so many registers.
template <class Kernel, int N>
struct TeamSums
{
  static constexpr char const* name() { return Kernel::name(); }
  static constexpr int members = 32;
  static constexpr unsigned teams_at_once = 12;
  static_assert(N <= members);

  Kernel kernel;
  index_t rows;
  index_t teams;
  double* parts; ///< teams × N

  /// Of the whole launch: those that the device can run at once, and no more than rows give.
  static index_t teams_for(index_t rows)
  {
    return std::min((rows + members - 1) / members, teams_of_device<TeamSums>());
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Sums<double, N> sums;
    for (index_t i = team.index() * members + team.rank(); i < rows; i += teams * members)
      kernel(sums, i);
    team.sum(sums.value);
    unrolled<N>([&](auto n) {
      if (team.rank() == n)
        parts[team.index() * N + n] = sums.value[n];
    });
  }
};

} // namespace strata::mgs
