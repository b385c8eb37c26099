#pragma once

#include "row_fragments.hpp"

#include "array/launch/team.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>

namespace strata::mgs {

/// How the warps of teams share the tiles of RowFragments: each takes every so many.
template <class A, int Warps>
class FragmentPass
{
public:
  static constexpr int warp = 32;
  static constexpr int members = Warps * warp;
  static constexpr int compute_capability = 90;

  FragmentPass(A const& of, index_t row_count, index_t column_count, index_t most_teams)
      : a(of)
      , columns(static_cast<int>(column_count))
      , tiles_(RowFragments<A, 1>::count(row_count))
      , teams_(std::min((tiles_ + Warps - 1) / Warps, most_teams))
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t teams() const { return teams_; }

  /// See RowFragments::each.
  template <int Ahead, class Rows, class Team, class F>
  KOKKOS_FUNCTION void each(Rows const& rows, Team const& team, F const& f) const
  {
    rows.template each<Ahead>(team.index() * Warps + team.rank() / warp, teams_ * Warps, tiles_,
                              f);
  }

  A a;
  int columns;

private:
  index_t tiles_;
  index_t teams_;
};

} // namespace strata::mgs
