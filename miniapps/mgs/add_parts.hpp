#pragma once

#include "array/team.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::mgs {

/// sums[n] = Σ over the parts of what each has of it.
struct AddParts
{
  static constexpr char const* name() { return "strata::mgs::AddParts"; }
  static constexpr int members = 256;
  /// Sums that a team makes: a cache sector of each part at a time.
  template <int Size>
  static constexpr int width = Size < 8 ? 1 : 8;

  double const* values; ///< parts × count
  double* sums;
  index_t count;
  index_t parts;
  double const* wanted = nullptr; ///< nothing is done where this is 0

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
      for (index_t part = team.rank() / each; part < parts; part += Team::size / each)
        sum += values[part * count + n];
    double of_team[each];
    for (int m = 0; m < each; ++m)
      of_team[m] = m == mine ? sum : 0;
    team.sum(of_team);
    if (team.rank() < each && n < count)
      for (int m = 0; m < each; ++m)
        if (m == mine)
          sums[n] = of_team[m];
  }
};

} // namespace strata::mgs
