#pragma once

#include "tile_memory.hpp"

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

namespace strata::mgs {

/// Factors in a team's scratch memory: of each one kept U, right of the diagonal alone and in
/// whole pairs, and the inverse of its diagonal; of the last one C. Columns: those of U and C;
/// Panel: those of U; both rounded up. What is not there is 0, so that no branch stands between
/// the steps of a row: reads of U are the bound, and a branch keeps them from overlapping.
template <int Columns, int Panel>
class FactorRows
{
private:
  static constexpr int rest = Columns - Panel;
  static_assert(Panel % 2 == 0 && rest % 2 == 0);
  static constexpr int of_u = Panel * (Panel + 2) / 2 + Panel;

public:
  static constexpr int most = Panel > panel_columns ? 1 : most_divisors; ///< factors
  /// Number of values.
  static constexpr int size = most * of_u + Panel * rest;

  KOKKOS_FUNCTION explicit FactorRows(double* values)
      : values_(values)
  {
  }

  /// Copies `count` factors, at most `most`, for a tile of `panel` and `columns` columns, by
  /// all members, at least `Columns`. All loads of a batch come before the stores, which the
  /// compiler could not reorder: the values might alias what is read.
  template <class Team>
  KOKKOS_FUNCTION void fetch(Team const& team, TileMemory const& memory, int count, int panel,
                             int columns) const
  {
    constexpr int batch = 8;
    int const column = team.rank();
    for (int place = 0; place < count; ++place) {
      double* const u = values_ + place * of_u;
      for (int first = 0; first < Panel; first += batch) {
        double x[batch];
        unrolled<batch>([&](auto n) {
          int const b = first + n;
          x[n] = b < panel && column < columns ? memory.factor(place, b)[column] : 0.0;
        });
        unrolled<batch>([&](auto n) {
          int const b = first + n;
          if (column >= b / 2 * 2 && column < Panel)
            u[begin(b) + column - b / 2 * 2] = x[n];
          else if (column >= Panel && column < Columns && place + 1 == count)
            values_[most * of_u + b * rest + column - Panel] = x[n];
        });
      }
      if (column < Panel)
        u[begin(Panel) + column] = column < panel ? memory.inverse(place)[column] : 0.0;
    }
  }

  /// panel = panel·U⁻¹ of a row, by substitution.
  KOKKOS_FUNCTION void divide(int place, double (&x)[Columns]) const
  {
    double const* const u = values_ + place * of_u;
    unrolled<Panel>([&](auto row) {
      constexpr int b = decltype(row)::value;
      x[b] *= u[begin(Panel) + b];
      auto const* const by = reinterpret_cast<Pair const*>(u + begin(b));
      unrolled<Panel / 2 - b / 2>([&](auto pair) {
        constexpr int c = b / 2 * 2 + 2 * decltype(pair)::value;
        Pair const two = by[pair];
        if constexpr (c > b)
          x[c] -= x[b] * two.lane[0];
        if constexpr (c + 1 > b)
          x[c + 1] -= x[b] * two.lane[1];
      });
    });
  }
  /// rest -= panel·C of a row.
  KOKKOS_FUNCTION void update(double (&x)[Columns]) const
  {
    unrolled<Panel>([&](auto b) {
      auto const* const by = reinterpret_cast<Pair const*>(values_ + most * of_u + b * rest);
      unrolled<rest / 2>([&](auto pair) {
        Pair const two = by[pair];
        x[Panel + 2 * pair] -= x[b] * two.lane[0];
        x[Panel + 2 * pair + 1] -= x[b] * two.lane[1];
      });
    });
  }

private:
  using Pair = Pack<double, 2>;

  /// Start of row b of U, whose first column is b rounded down to an even one.
  static constexpr KOKKOS_FUNCTION int begin(int b)
  {
    int const pairs = b / 2;
    return 2 * pairs * (Panel - pairs + 1) + b % 2 * (Panel - 2 * pairs);
  }

  double* values_;
};

} // namespace strata::mgs
