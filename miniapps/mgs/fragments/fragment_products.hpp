#pragma once

#include "fragment_pass.hpp"
#include "team_products.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <cstddef>

namespace strata::mgs {

/// Partial sums of aᵀ·a, a part for each team, as TeamProducts leaves them.
template <class A, int Units>
class FragmentProducts
{
  static constexpr int warps = 4;
  using Pass = FragmentPass<A, warps>;
  using Rows = RowFragments<A, Units, true>;
  using OfTeam = TeamProducts<Units, warps>;

public:
  static constexpr char const* name() { return "strata::mgs::FragmentProducts"; }
  static constexpr int members = Pass::members;
  /// As many as have registers: of few columns, more, so that enough loads are in flight.
  static constexpr unsigned teams_at_once = Units == 1 ? 8 : Units == 2 ? 5 : 3;
  static constexpr int compute_capability = Pass::compute_capability;
  static constexpr std::size_t scratch_bytes = OfTeam::scratch_bytes;

  FragmentProducts(A const& a, index_t row_count, index_t columns, double* partials,
                   index_t most_teams)
      : pass_(a, row_count, columns, most_teams)
      , partials_(partials)
  {
  }
  [[nodiscard]] index_t teams() const { return pass_.teams(); }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    typename OfTeam::Sums products;
    Rows const rows(pass_.a, pass_.columns, team.rank() % Pass::warp);
    pass_.template each<1>(
        rows, team, [&](index_t, typename Rows::Values const& x, auto const& next) {
          typename Rows::Values now;
          unrolled<Units>([&](auto u) { unrolled<2>([&](auto i) { now[u][i] = x[u][i]; }); });
          next();
          unrolled<2>([&](auto i) {
            products.add(team, [&](int u, int half) { return now[u][i].lane[half]; });
          });
        });
    OfTeam::leave(team, products, pass_.columns,
                  partials_ + team.index() * pass_.columns * pass_.columns);
  }

private:
  Pass pass_;
  double* partials_;
};

} // namespace strata::mgs
