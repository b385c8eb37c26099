#pragma once

#include "fragment_pass.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "tiles/fragment_product.hpp"
#include "tiles/tiles.hpp"

namespace strata::mgs {

/// a = (a·U⁻¹)·V⁻¹ in one pass. A warp has both inverses in its registers; fragments of the
/// first product are those that the second takes.
template <class A, int Units>
class FragmentQuotient
{
  static constexpr int warps = 8;
  using Pass = FragmentPass<A, warps>;
  using Rows = RowFragments<A, Units>;

public:
  static constexpr char const* name() { return "strata::mgs::FragmentQuotient"; }
  static constexpr int members = Pass::members;
  static constexpr unsigned teams_at_once = Units == 1 ? 4 : Units == 2 ? 2 : 1;
  static constexpr int compute_capability = Pass::compute_capability;

  /// `inverses`: U⁻¹, then V⁻¹, and `unless` as of FragmentRefine.
  FragmentQuotient(A const& a, index_t row_count, index_t columns, double const* inverses,
                   double const* unless, index_t most_teams)
      : pass_(a, row_count, columns, most_teams)
      , inverses_(inverses)
      , unless_(unless)
  {
  }
  [[nodiscard]] index_t teams() const { return pass_.teams(); }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (*unless_ != 0)
      return;
    int const lane = team.rank() % Pass::warp;
    Inverse first, second;
    fetch(lane, inverses_, first);
    fetch(lane, inverses_ + most_tile_columns * most_tile_columns, second);
    Rows const rows(pass_.a, pass_.columns, lane);
    pass_.template each<1>(
        rows, team, [&](index_t tile, typename Rows::Values const& x, auto const& next) {
          double q[Units][4];
          unrolled<Units>([&](auto u) {
            multiply<u>(team, first, q[u],
                        [&](int v, int e) { return x[v][e / 2].lane[e % 2]; });
          });
          next();
          unrolled<Units>([&](auto u) {
            double y[4];
            multiply<u>(team, second, y, [&](int v, int e) { return q[v][e % 2 * 2 + e / 2]; });
            rows.write(tile, u, y);
          });
        });
  }

private:
  using Inverse = double[Units][Units][2];

  /// sums = unit U of the columns of x·inverse; x(unit, e) is number e of its fragment.
  template <int U, class Team, class X>
  static KOKKOS_FUNCTION void multiply(Team const& team, Inverse const& inverse,
                                       double (&sums)[4], X const& x)
  {
    unrolled<4>([&](auto e) { sums[e] = 0; });
    unrolled<U + 1>([&](auto v) {
      double const a[4] = {x(v, 0), x(v, 1), x(v, 2), x(v, 3)};
      add_fragments(team, sums, a, inverse[v][U]);
    });
  }
  /// Fragments of 8 × 8 numbers, of which a lane has rows 2t and 2t + 1 of column g.
  static KOKKOS_FUNCTION void fetch(int lane, double const* inverse, Inverse& x)
  {
    int const g = lane / 4;
    int const t = lane % 4;
    unrolled<Units>([&](auto v) {
      unrolled<Units>([&](auto u) {
        unrolled<2>([&](auto i) {
          x[v][u][i] = inverse[(8 * v + 2 * t + i) * most_tile_columns + 8 * u + g];
        });
      });
    });
  }

  Pass pass_;
  double const* inverses_;
  double const* unless_;
};

} // namespace strata::mgs
