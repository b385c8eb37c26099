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
    double sum = 0;
    if (n < count)
      sum = parts > few * (Team::size / each) ? sum_of<many>(team, n) : sum_of<few>(team, n);
    double of_team[each];
    for (int m = 0; m < each; ++m)
      of_team[m] = m == mine ? sum : 0;
    team.sum(of_team);
    if (team.rank() < each && n < count)
      for (int m = 0; m < each; ++m)
        if (m == mine)
          sums[n] = of_team[m];
  }

private:
  /// Loads of a member that do not wait for each other: of few parts fewer, which then are all
  /// that there are.
  static constexpr int few = 4;
  static constexpr int many = 16;

  /// A member's share of sum n.
  template <int Chains, class Team>
  KOKKOS_FUNCTION double sum_of(Team const& team, index_t n) const
  {
    constexpr int each = width<Team::size>;
    constexpr index_t step = Team::size / each;
    double sum[Chains] = {};
    for (index_t first = team.rank() / each; first < parts; first += Chains * step)
      unrolled<Chains>([&](auto c) {
        index_t const part = first + c * step;
        sum[c] += part < parts ? values[part * count + n] : 0.0;
      });
    for (int half = Chains / 2; half > 0; half /= 2)
      for (int c = 0; c < half; ++c)
        sum[c] += sum[c + half];
    return sum[0];
  }
};

} // namespace strata::mgs
