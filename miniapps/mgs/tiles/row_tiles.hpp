#pragma once

#include "tile_memory.hpp"
#include "tiles.hpp"
#include "warp_products.hpp"

#include "array/access/pack.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace strata::mgs {

/// A tile pass on a GPU. A work item has a row of the tile in registers, where it is divided
/// and updated; products are summed from a copy of the tile in fast memory, in registers that
/// last the whole pass. Columns: of the tile, rounded up.
template <class A, int Columns>
class RowTileKernel
{
public:
  static constexpr char const* name() { return "strata::mgs::TilePass"; }
  /// Rows of a tile, and a team: one warp, so that its barriers wait for nobody.
  static constexpr int rows = 32;
  static constexpr int members = rows;
  static constexpr unsigned teams_at_once = 12;

private:
  using Pair = Pack<double, 2>;
  static constexpr int unit = 8; ///< columns are handled in groups of so many
  using Products = WarpProducts<Columns / unit>;
  /// Of the tile's rows: an odd number of pairs, and such that four rows by eight columns of
  /// them lie in different banks as far as that goes.
  static constexpr int pitch = Columns + (Columns % 16 == 0 ? 6 : 2);
  static constexpr bool rows_are_together =
      !std::is_same_v<typename A::layout_type, LayoutRight>;
  /// Where row b of (U, C) begins in fast memory, which has what is right of the diagonal only,
  /// in whole pairs: twelve teams' tiles and factors have to fit.
  static constexpr KOKKOS_FUNCTION int row_of_factor(int b)
  {
    int const pairs = b / 2;
    return 2 * pairs * (Columns - pairs + 1) + b % 2 * (Columns - 2 * pairs);
  }
  static_assert(Columns % unit == 0 && Columns <= rows);
  static_assert(panel_columns % unit == 0, "products begin with a whole unit");

public:
  static constexpr std::size_t scratch_bytes =
      sizeof(double) * (rows * pitch + row_of_factor(Columns) + Columns);

  RowTileKernel(A const& a, index_t row_count, TilePass const& pass, TileMemory const& memory)
      : a_(a)
      , rows_(row_count)
      , tiles_(tiles_of(row_count))
      , teams_(teams(row_count))
      , pass_(pass)
      , memory_(memory)
      , columns_(static_cast<int>(pass.columns()))
      , panel_(static_cast<int>(pass.panel.count))
      , changed_(static_cast<int>(pass.changed()))
      , first_(pass.first())
      , lefts_(units(pass.left.count))
      , rights_(units(pass.right.count))
  {
  }

  /// Teams of the whole launch: those that the device can run at once, and no more than tiles.
  static index_t teams(index_t row_count)
  {
    return std::min(tiles_of(row_count), teams_of_device<RowTileKernel>());
  }
  [[nodiscard]] index_t teams() const { return teams_; }
  /// Sets of products that the pass leaves for AddParts.
  [[nodiscard]] index_t parts() const { return teams_; }
  /// Values that they take, at most.
  static index_t most_partials(index_t row_count)
  {
    return teams(row_count) * most_tile_columns * most_tile_columns;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (pass_.repeats && *memory_.shifted == 0)
      return;
    auto* const tile = static_cast<double*>(team.scratch());
    double* const factor = tile + rows * pitch;
    if (pass_.divides)
      fetch_factor(team, factor);
    Products products;
    for (index_t t = team.index(); t < tiles_; t += teams_) {
      change(team, tile, factor, t * rows);
      team.barrier();
      if (lefts_ > 0) {
        products.add(team.rank(), tile + (pass_.left.first - first_), rows, pitch, lefts_,
                     rights_);
        team.barrier();
      }
    }
    if (lefts_ > 0)
      leave(team, products);
  }

private:
  static index_t tiles_of(index_t row_count) { return (row_count + rows - 1) / rows; }
  static int units(index_t columns) { return static_cast<int>((columns + unit - 1) / unit); }

  /// U and C side by side, and the inverse of U's diagonal behind them.
  template <class Team>
  KOKKOS_FUNCTION void fetch_factor(Team const& team, double* factor) const
  {
    for (int b = 0; b < panel_; ++b)
      for (int c = b / 2 * 2 + team.rank(); c < Columns; c += Team::size)
        factor[row_of_factor(b) + c - b / 2 * 2] = memory_.factor[b * memory_.pitch + c];
    for (int b = team.rank(); b < panel_; b += Team::size)
      factor[row_of_factor(Columns) + b] = memory_.inverse[b];
    team.barrier();
  }

  /// Reads the tile, divides and updates it, writes what has changed; leaves a copy in `tile`
  /// where products are wanted.
  template <class Team>
  KOKKOS_FUNCTION void change(Team const& team, double* tile, double const* factor,
                              index_t first) const
  {
    double x[Columns];
    double* const mine = tile + team.rank() * pitch;
    if constexpr (rows_are_together) {
      read(first + team.rank(), x);
      if (pass_.divides) {
        eliminate(factor, x);
        write(first + team.rank(), x);
      }
      if (lefts_ > 0)
        to_tile(mine, x);
    } else {
      read_rows(team.rank(), tile, first);
      if (pass_.divides) {
        team.barrier();
        from_tile(mine, x);
        eliminate(factor, x);
        to_tile(mine, x);
        team.barrier();
        write_rows(team.rank(), tile, first);
      }
    }
  }

  KOKKOS_FUNCTION void read(index_t row, double (&x)[Columns]) const
  {
    unrolled<Columns>(
        [&](auto c) { x[c] = row < rows_ && c < columns_ ? a_(row, first_ + c) : 0.0; });
  }
  KOKKOS_FUNCTION void write(index_t row, double const (&x)[Columns]) const
  {
    unrolled<Columns>([&](auto c) {
      if (row < rows_ && c < changed_)
        a_(row, first_ + c) = x[c];
    });
  }
  static KOKKOS_FUNCTION void to_tile(double* row, double const (&x)[Columns])
  {
    unrolled<Columns / 2>([&](auto p) {
      Pair pair;
      pair.lane[0] = x[2 * p];
      pair.lane[1] = x[2 * p + 1];
      reinterpret_cast<Pair*>(row)[p] = pair;
    });
  }
  static KOKKOS_FUNCTION void from_tile(double const* row, double (&x)[Columns])
  {
    unrolled<Columns / 2>([&](auto p) {
      Pair const pair = reinterpret_cast<Pair const*>(row)[p];
      x[2 * p] = pair.lane[0];
      x[2 * p + 1] = pair.lane[1];
    });
  }

  /// Work items along a row, where a row's elements are together. Loads before stores: the
  /// compiler cannot know that a tile is no part of `a`.
  KOKKOS_FUNCTION void read_rows(int rank, double* tile, index_t first) const
  {
    constexpr int batch = 16;
    for (int begin = 0; begin < rows; begin += batch) {
      double x[batch];
      unrolled<batch>([&](auto r) {
        x[r] = first + begin + r < rows_ && rank < columns_
                   ? a_(first + begin + r, first_ + rank)
                   : 0.0;
      });
      if (rank < Columns)
        unrolled<batch>([&](auto r) { tile[(begin + r) * pitch + rank] = x[r]; });
    }
  }
  KOKKOS_FUNCTION void write_rows(int rank, double const* tile, index_t first) const
  {
    if (rank < changed_)
      for (int r = 0; r < rows; ++r)
        if (first + r < rows_)
          a_(first + r, first_ + rank) = tile[r * pitch + rank];
  }

  /// Row of (panel, rest): panel = panel·U⁻¹ by substitution, rest -= panel·C.
  KOKKOS_FUNCTION void eliminate(double const* factor, double (&x)[Columns]) const
  {
    unrolled<Columns>([&](auto column) {
      constexpr int b = decltype(column)::value;
      if (b >= panel_)
        return;
      x[b] *= factor[row_of_factor(Columns) + b];
      auto const* const by = reinterpret_cast<Pair const*>(factor + row_of_factor(b));
      unrolled<Columns / unit>([&](auto group) {
        constexpr int begin = decltype(group)::value * unit;
        if constexpr (begin + unit > b + 1)
          if (begin < changed_)
            unrolled<unit / 2>([&](auto pair) {
              constexpr int c = begin + 2 * decltype(pair)::value;
              if constexpr (c + 1 > b) {
                Pair const two = by[c / 2 - b / 2];
                if constexpr (c > b)
                  x[c] -= x[b] * two.lane[0];
                x[c + 1] -= x[b] * two.lane[1];
              }
            });
      });
    });
  }

  template <class Team>
  KOKKOS_FUNCTION void leave(Team const& team, Products const& products) const
  {
    index_t const rights = pass_.right.count;
    double* const to = memory_.partials + team.index() * pass_.left.count * rights;
    products.for_each(team.rank(), lefts_, rights_, [&](int row, int column, double sum) {
      if (row < pass_.left.count && column < rights)
        to[row * rights + column] = sum;
    });
  }

  A a_;
  index_t rows_, tiles_, teams_;
  TilePass pass_;
  TileMemory memory_;
  int columns_, panel_, changed_; ///< of the tile, in this order
  index_t first_;                 ///< column of the multivector that is the tile's first
  int lefts_, rights_;            ///< of products, in units
};

} // namespace strata::mgs
