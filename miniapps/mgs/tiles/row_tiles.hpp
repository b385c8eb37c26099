#pragma once

#include "factor_rows.hpp"
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

/// A tile pass on a GPU. A work item divides and updates a row of the tile in registers.
/// Products are computed from a copy of the tile in scratch memory, with sums in registers
/// during the whole pass. Columns: those of the tile; Panel: those of the panel; both rounded
/// up, with Panel equal to Columns where there is no rest.
template <class A, int Columns, int Panel>
class RowTileKernel
{
  static constexpr bool rows_are_together =
      !std::is_same_v<typename A::layout_type, LayoutRight>;

public:
  static constexpr char const* name() { return "strata::mgs::TilePass"; }
  /// Rows of a tile and work items of a team: one warp, whose barriers wait for no other warp.
  static constexpr int rows = 32;
  static constexpr int members = rows;
  /// As many as have registers and scratch memory: of few columns, more, so that enough loads
  /// are in flight; of rows apart in memory that took longer.
  static constexpr unsigned teams_at_once = !rows_are_together || Columns > 24 ? 12
                                            : Columns > 16                     ? 16
                                            : Columns > 8                      ? 20
                                                                               : 32;

private:
  using Pair = Pack<double, 2>;
  static constexpr int unit = 8; ///< columns are handled in groups of so many
  using Products = WarpProducts<Columns / unit>;
  /// Stride of the tile's rows: an odd number of pairs, for which accesses to four rows by
  /// eight columns have the fewest bank conflicts.
  static constexpr int pitch = Columns + (Columns % 16 == 0 ? 6 : 2);
  using Factors = FactorRows<Columns, Panel>;
  static_assert(Columns % unit == 0 && Columns <= rows && Panel % unit == 0);
  static_assert(panel_columns % unit == 0, "products begin with a whole unit");

public:
  static constexpr std::size_t scratch_bytes = sizeof(double) * (rows * pitch + Factors::size);

  RowTileKernel(A const& a, index_t row_count, TilePass const& pass, TileMemory const& memory)
      : RowTileKernel(a, row_count, pass, memory, teams(row_count))
  {
  }
  /// By so many teams.
  KOKKOS_FUNCTION RowTileKernel(A const& a, index_t row_count, TilePass const& pass,
                                TileMemory const& memory, index_t team_count)
      : a_(a)
      , rows_(row_count)
      , tiles_(tiles_of(row_count))
      , teams_(team_count)
      , pass_(pass)
      , memory_(memory)
      , columns_(static_cast<int>(pass.columns()))
      , panel_(static_cast<int>(pass.panel.count))
      , stored_(static_cast<int>(pass.stored()))
      , first_(pass.first())
      , lefts_(units(pass.left.count))
      , rights_(units(pass.right.count))
  {
  }

  /// Teams of the launch: as many as the device runs at once, but no more than tiles.
  static index_t teams(index_t row_count)
  {
    return std::min(tiles_of(row_count), teams_of_device<RowTileKernel>());
  }
  [[nodiscard]] index_t teams() const { return teams_; }
  /// Number of partial sums that the pass leaves for AddParts.
  [[nodiscard]] index_t parts() const { return teams_; }
  /// Greatest number of their values.
  static index_t most_partials(index_t row_count)
  {
    return teams(row_count) * most_tile_columns * most_tile_columns;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (pass_.repeats && *memory_.repeats == 0)
      return;
    run(team, memory_.partials + team.index() * pass_.left.count * pass_.right.count);
  }

  /// A team's tiles, whether or not the pass repeats; leaves the sums of their products in
  /// `sums`, which may be the team's scratch memory.
  template <class Team>
  KOKKOS_FUNCTION void run(Team const& team, double* sums) const
  {
    auto* const tile = static_cast<double*>(team.scratch());
    Factors const factors(tile + rows * pitch);
    int const divisors = memory_.divisors(pass_);
    factors.fetch(team, memory_, divisors, panel_, columns_);
    team.barrier();
    Products products;
    for (index_t t = team.index(); t < tiles_; t += teams_) {
      change(team, tile, factors, divisors, t * rows);
      team.barrier();
      if (lefts_ > 0) {
        products.add(team.rank(), tile + (pass_.left.first - first_), rows, pitch, lefts_,
                     rights_);
        team.barrier();
      }
    }
    if (lefts_ > 0)
      leave(team, products, sums);
  }

private:
  static KOKKOS_FUNCTION index_t tiles_of(index_t row_count)
  {
    return (row_count + rows - 1) / rows;
  }
  static KOKKOS_FUNCTION int units(index_t columns)
  {
    return static_cast<int>((columns + unit - 1) / unit);
  }

  /// Loads the tile, divides and updates it and stores the changed columns; copies it to `tile`
  /// where products follow.
  template <class Team>
  KOKKOS_FUNCTION void change(Team const& team, double* tile, Factors const& factors,
                              int divisors, index_t first) const
  {
    double x[Columns];
    double* const mine = tile + team.rank() * pitch;
    if constexpr (rows_are_together) {
      read(first + team.rank(), x);
      divide(factors, divisors, x);
      write(first + team.rank(), x);
      if (lefts_ > 0)
        to_tile(mine, x);
    } else {
      read_rows(team.rank(), tile, first);
      if (divisors > 0) {
        team.barrier();
        from_tile(mine, x);
        divide(factors, divisors, x);
        to_tile(mine, x);
        team.barrier();
        write_rows(team.rank(), tile, first);
      }
    }
  }

  /// The tile's elements of a row, one every `step`: nvcc would compute each address from its
  /// indices, behind a branch of its own.
  struct Row
  {
    double* first;
    index_t step;
  };
  [[nodiscard]] KOKKOS_FUNCTION Row at(index_t row) const
  {
    index_t const there = row < rows_ ? row : rows_ - 1;
    double* const first = &a_(there, first_);
    return {first, columns_ > 1 ? &a_(there, first_ + 1) - first : 0};
  }
  KOKKOS_FUNCTION void read(index_t row, double (&x)[Columns]) const
  {
    Row const from = at(row);
    unrolled<Columns>(
        [&](auto c) { x[c] = row < rows_ && c < columns_ ? from.first[c * from.step] : 0.0; });
  }
  KOKKOS_FUNCTION void write(index_t row, double const (&x)[Columns]) const
  {
    Row const to = at(row);
    unrolled<Columns>([&](auto c) {
      if (row < rows_ && c < stored_)
        to.first[c * to.step] = x[c];
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

  /// Consecutive work items copy consecutive elements of a row, where these are contiguous. All
  /// loads come before the stores, which the compiler could not reorder: `tile` might alias
  /// `a`.
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
    if (rank < stored_)
      for (int r = 0; r < rows; ++r)
        if (first + r < rows_)
          a_(first + r, first_ + rank) = tile[r * pitch + rank];
  }

  KOKKOS_FUNCTION void divide(Factors const& factors, int divisors, double (&x)[Columns]) const
  {
    unrolled<Factors::most>([&](auto n) {
      if (n < divisors)
        factors.divide(n, x);
    });
    if (pass_.updates)
      factors.update(x);
  }

  template <class Team>
  KOKKOS_FUNCTION void leave(Team const& team, Products const& products, double* sums) const
  {
    index_t const rights = pass_.right.count;
    products.for_each(team.rank(), lefts_, rights_, [&](int row, int column, double sum) {
      if (row < pass_.left.count && column < rights)
        sums[row * rights + column] = sum;
    });
  }

  A a_;
  index_t rows_, tiles_, teams_;
  TilePass pass_;
  TileMemory memory_;
  int columns_, panel_, stored_; ///< of the tile, in this order
  index_t first_;                ///< column of the multivector that is the tile's first
  int lefts_, rights_;           ///< of products, in units
};

} // namespace strata::mgs
