#pragma once

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::mgs {

/// sums[n] = Σ of the partial sums of all parts.
struct AddParts
{
  static constexpr char const* name() { return "strata::mgs::AddParts"; }
  static constexpr int members = 256;
  /// Sums per team: those that share a cache sector in each part.
  template <int Size>
  static constexpr int width = Size < 8 ? 1 : 8;

  double const* values; ///< parts × count
  double* sums;
  index_t count;
  index_t parts;
  double const* wanted = nullptr; ///< where it points to 0, nothing is done

  static void launch(AddParts const& add)
  {
    constexpr int size = device_is_host ? 1 : members;
    constexpr int each = width<size>;
    for_each_team<members>((add.count + each - 1) / each, add);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (wanted != nullptr && *wanted == 0)
      return;
    constexpr int each = width<Team::size>;
    int const mine = team.rank() % each;
    index_t const n = team.index() * each + mine;
    constexpr int chains = 4; // independent, to hide the latency of their loads
    constexpr index_t step = Team::size / each;
    double sum[chains] = {};
    if (n < count) {
      index_t part = team.rank() / each;
      for (; part + (chains - 1) * step < parts; part += chains * step)
        unrolled<chains>([&](auto c) { sum[c] += values[(part + c * step) * count + n]; });
      for (; part < parts; part += step)
        sum[0] += values[part * count + n];
    }
    double of_team[each];
    for (int m = 0; m < each; ++m)
      of_team[m] = m == mine ? (sum[0] + sum[1]) + (sum[2] + sum[3]) : 0;
    team.sum(of_team);
    if (team.rank() < each && n < count)
      for (int m = 0; m < each; ++m)
        if (m == mine)
          sums[n] = of_team[m];
  }
};

} // namespace strata::mgs
