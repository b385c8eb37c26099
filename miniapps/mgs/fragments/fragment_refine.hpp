#pragma once

#include "fragment_pass.hpp"
#include "team_products.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "tiles/fragment_product.hpp"
#include "tiles/tiles.hpp"

#include <cstddef>

namespace strata::mgs {

/// Partial sums of QᵀQ for Q = a·U⁻¹, which is not stored. A warp has U⁻ᵀ in its registers: it
/// makes Qᵀ, whose fragments are those that the products take.
template <class A, int Units>
class FragmentRefine
{
  static constexpr int warps = 8;
  using Pass = FragmentPass<A, warps>;
  using Rows = RowFragments<A, Units>;
  using OfTeam = TeamProducts<Units, warps>;
  static constexpr int strips = (Units + 1) / 2; ///< of 16 columns of Q

public:
  static constexpr char const* name() { return "strata::mgs::FragmentRefine"; }
  static constexpr int members = Pass::members;
  static constexpr unsigned teams_at_once = Units == 1 ? 3 : Units == 2 ? 2 : 1;
  static constexpr int compute_capability = Pass::compute_capability;
  static constexpr std::size_t scratch_bytes = OfTeam::scratch_bytes;

  /// `inverse`: U⁻¹ in rows of most_tile_columns, with zeros for columns that there are not.
  /// Nothing is done where `unless` points to another number than 0.
  FragmentRefine(A const& a, index_t row_count, index_t columns, double const* inverse,
                 double const* unless, double* partials, index_t most_teams)
      : pass_(a, row_count, columns, most_teams)
      , inverse_(inverse)
      , unless_(unless)
      , partials_(partials)
  {
  }
  [[nodiscard]] index_t teams() const { return pass_.teams(); }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (*unless_ != 0)
      return;
    int const lane = team.rank() % Pass::warp;
    double of_inverse[strips][Units][4];
    fetch(lane, of_inverse);
    typename OfTeam::Sums products;
    Rows const rows(pass_.a, pass_.columns, lane);
    pass_.template each<2>(
        rows, team, [&](index_t, typename Rows::Values const& x, auto const& next) {
          double q[strips][2][4] = {}; // of the low and the high rows
          unrolled<strips>([&](auto s) {
            unrolled<Units>([&](auto u) {
              if constexpr (u < 2 * s + 2)
                unrolled<2>([&](auto high) {
                  double const of_rows[2] = {x[u][0].lane[decltype(high)::value],
                                             x[u][1].lane[decltype(high)::value]};
                  add_fragments(team, q[s][high], of_inverse[s][u], of_rows);
                });
            });
          });
          next();
          unrolled<2>([&](auto high) {
            products.add(team,
                         [&](int u, int half) { return q[u / 2][high][u % 2 * 2 + half]; });
          });
        });
    OfTeam::leave(team, products, pass_.columns,
                  partials_ + team.index() * pass_.columns * pass_.columns);
  }

private:
  /// Fragments of U⁻ᵀ: 16 columns of U⁻¹ by 8 rows, of which a lane has 2t and 2t + 1.
  KOKKOS_FUNCTION void fetch(int lane, double (&x)[strips][Units][4]) const
  {
    int const g = lane / 4;
    int const t = lane % 4;
    unrolled<strips>([&](auto s) {
      unrolled<Units>([&](auto u) {
        unrolled<4>([&](auto e) {
          int const row = 8 * u + 2 * t + e / 2;
          x[s][u][e] = inverse_[row * most_tile_columns + 16 * s + 8 * (e % 2) + g];
        });
      });
    });
  }

  Pass pass_;
  double const* inverse_;
  double const* unless_;
  double* partials_;
};

} // namespace strata::mgs
