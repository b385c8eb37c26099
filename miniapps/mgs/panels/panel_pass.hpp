#pragma once

#include "blocks.hpp"
#include "panel_slice.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/async_copy.hpp"
#include "base/kokkos.hpp"
#include "tiles/copy_rows.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::mgs {

/// In one pass over the rows, on an NVIDIA GPU: panel = panel·V, rest += panel·D with the panel
/// as it was, and partial sums of nextᵀ·rest with `next` the rest's first block of columns.
///
/// A team takes a tile of rows at a time, of which a warp has a slice. Meanwhile the elements
/// of the next two are on their way.
template <class A>
class PanelPass
{
public:
  static constexpr char const* name() { return "strata::mgs::PanelPass"; }
  static constexpr int members = 384;
  static constexpr unsigned teams_at_once = 1;
  static constexpr int compute_capability = 80;

private:
  using Slice = PanelSlice;
  using Pair = Slice::Pair;
  static constexpr int warps = members / Slice::warp;
  static constexpr int most_slices = 3;
  static constexpr int stages = 3; ///< tiles of which elements are copied ahead
  static constexpr int pairs = Slice::pairs;
  static constexpr int width = Slice::width;
  static constexpr int panel_size = width * Slice::panel_pitch;
  static constexpr int next_size = width * Slice::next_pitch;
  static constexpr int elements_size = pairs * 2 * members;

public:
  /// Greatest number of columns of the rest.
  static constexpr index_t most_columns = index_t{warps} * Slice::unit;
  /// V; the elements on their way; of each slice the panel's, and the next panel's of two
  /// tiles.
  static constexpr std::size_t scratch_bytes =
      sizeof(double) * (width * Slice::v_pitch + stages * elements_size +
                        most_slices * (stages * panel_size + 2 * next_size));

  /// `coefficients`: V and D, as products of the panel with itself and the rest lie in memory.
  /// The partial sums are of PanelPair{next, rest}.
  PanelPass(A const& a, index_t row_count, ColumnRange const& panel, ColumnRange const& rest,
            double const* coefficients, double* partials)
      : PanelPass(a, row_count, panel, rest, coefficients, partials, 0)
  {
    teams_ = std::min(tiles(), teams_of_device<PanelPass>());
  }
  /// By so many teams.
  PanelPass(A const& a, index_t row_count, ColumnRange const& panel, ColumnRange const& rest,
            double const* coefficients, double* partials, index_t team_count)
      : a_(a)
      , rows_(row_count)
      , panel_(panel)
      , rest_(rest)
      , units_(static_cast<int>(blocks_of(rest)) * Slice::halves)
      , slices_(std::min(most_slices, warps / units_))
      , teams_(team_count)
      , coefficients_(coefficients)
      , partials_(partials)
  {
  }
  [[nodiscard]] index_t teams() const { return teams_; }
  /// Number of partial sums of each product.
  [[nodiscard]] index_t parts() const { return teams_ * slices_; }
  /// Greatest number of values of all partial sums.
  static index_t most_partials()
  {
    return teams_of_device<PanelPass>() * (warps / Slice::halves) * width * width;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Slice const mine(team.rank(), units_, slices_, static_cast<int>(rest_.count));
    Scratch const scratch(static_cast<double*>(team.scratch()), slices_);
    for (int n = team.rank(); n < width * width; n += Team::size)
      scratch.v[n / width * Slice::v_pitch + n % width] = coefficients_[n];
    double d[width / 4][2];
    unrolled<width / 4>([&](auto k) {
      unrolled<2>([&](auto high) { d[k][high] = of_rest(4 * k + mine.t, mine.column(high)); });
    });
    for (int n = 0; n < stages * pairs; ++n)
      if (!mine.has_column(n % pairs / 2))
        scratch.elements(n / pairs, n % pairs, team.rank()) = {}; // never copied
    unrolled<stages>([&](auto n) { fetch(team, mine, scratch, team.index() + n * teams_, n); });
    await_tiles<stages - 1>();
    team.barrier();

    Slice::Sums sums = {};
    int n = 0;
    for (index_t tile = team.index(); tile < tiles(); tile += teams_, ++n) {
      int const stage = n % stages;
      index_t const row = first_row(tile, mine.index);
      bool const there = mine.has_work && row < rows_;
      Slice::Elements x;
      unrolled<pairs>([&](auto p) {
        Pair const pair = scratch.elements(stage, p, team.rank());
        unrolled<2>([&](auto odd) { x[p % 2][p / 2 * 2 + odd] = there ? pair.lane[odd] : 0; });
      });
      double* const next = scratch.next(n % 2, mine.index);
      if (there)
        change(mine, scratch.panel(stage, mine.index), scratch.v, d, row, x);
      if (mine.has_work && mine.unit_index < Slice::halves)
        mine.give(x, next);
      await_tiles<stages - 2>();
      team.barrier();
      fetch(team, mine, scratch, tile + stages * teams_, stage);
      if (mine.has_work)
        mine.multiply(
            next, x, [&](int r, int column) { return updated(row + r, column); }, sums);
    }
    if (mine.has_work)
      mine.each_sum(sums, [&](int left, int right, double sum) {
        PanelPair const products{block_of(rest_, 0), rest_};
        index_t const part = team.index() * slices_ + mine.index;
        partials_[part * products.count() + PanelPair::at(left, right)] = sum;
      });
  }

private:
  struct Scratch
  {
    KOKKOS_FUNCTION Scratch(double* memory, int slice_count)
        : v(memory)
        , slices(slice_count)
    {
    }
    [[nodiscard]] KOKKOS_FUNCTION Pair& elements(int stage, int pair, int rank) const
    {
      double* const first = v + width * Slice::v_pitch;
      return reinterpret_cast<Pair*>(first)[(stage * pairs + pair) * members + rank];
    }
    [[nodiscard]] KOKKOS_FUNCTION double* panel(int stage, int slice) const
    {
      double* const first = v + width * Slice::v_pitch + stages * elements_size;
      return first + (stage * slices + slice) * panel_size;
    }
    [[nodiscard]] KOKKOS_FUNCTION double* next(int turn, int slice) const
    {
      return panel(stages, 0) + (turn * slices + slice) * next_size;
    }
    double* v;
    int slices;
  };

  [[nodiscard]] KOKKOS_FUNCTION index_t tiles() const
  {
    index_t const rows = index_t{slices_} * Slice::rows;
    return (rows_ + rows - 1) / rows;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t first_row(index_t tile, int slice) const
  {
    return (tile * slices_ + slice) * Slice::rows;
  }
  /// D, 0 past the rest's end.
  [[nodiscard]] KOKKOS_FUNCTION double of_rest(int row, int column) const
  {
    return column < rest_.count ? coefficients_[PanelPair::at(row, width + column)] : 0;
  }

  /// An element of the rest, 0 past its last row and column.
  [[nodiscard]] KOKKOS_FUNCTION double updated(index_t row, index_t column) const
  {
    return row < rows_ && column < rest_.count ? a_(row, rest_.first + column) : 0;
  }

  /// Starts copying a lane's elements and its share of the panel's.
  template <class Team>
  KOKKOS_FUNCTION void fetch(Team const& team, Slice const& mine, Scratch const& scratch,
                             index_t tile, int stage) const
  {
    constexpr int of_slice = width * Slice::rows / 2;
    if (tile < tiles()) {
      for (int n = team.rank(); n < slices_ * of_slice; n += Team::size) {
        int const slice = n / of_slice;
        int const column = n % of_slice / (Slice::rows / 2);
        int const row = 2 * (n % (Slice::rows / 2));
        copy_row_pair(a_, rows_, first_row(tile, slice) + row, panel_.first + column,
                      scratch.panel(stage, slice) + column * Slice::panel_pitch + row);
      }
      unrolled<pairs>([&](auto p) {
        if (mine.has_column(p / 2))
          copy_row_pair(a_, rows_, first_row(tile, mine.index) + 8 * (p % 2) + 2 * mine.t,
                        rest_.first + mine.column(p / 2),
                        scratch.elements(stage, p, team.rank()).lane);
      });
    }
#if defined(__CUDA_ARCH__)
    nvidia::end_copies();
#endif
  }
  template <int Left>
  static KOKKOS_FUNCTION void await_tiles()
  {
#if defined(__CUDA_ARCH__)
    nvidia::await_copies<Left>();
#endif
  }

  /// Updates and stores the lane's elements x; the last warps of a slice store the panel, too.
  KOKKOS_FUNCTION void change(Slice const& mine, double const* panel, double const* v,
                              double const (&d)[width / 4][2], index_t row,
                              Slice::Elements& x) const
  {
    int const first = Slice::unit * mine.unit_index;
    mine.add_panel<false>(
        panel, [&](auto k, auto high) { return d[k][high]; },
        [&](int l, int column) { return of_rest(l, first + column); }, x);
    store(mine, row, {rest_.first + first, rest_.count - first}, x);
    int const of_panel = first - Slice::unit * (units_ - Slice::halves);
    if (of_panel < 0)
      return;
    Slice::Elements y = {};
    double const* const own = v + mine.t * Slice::v_pitch + of_panel + mine.g;
    mine.add_panel<true>( // elements of V for all steps would take too many registers
        panel, [&](auto k, auto high) { return own[4 * k * Slice::v_pitch + 8 * high]; },
        [&](int l, int column) { return v[l * Slice::v_pitch + of_panel + column]; }, y);
    store(mine, row, {panel_.first + of_panel, Slice::unit}, y);
  }
  KOKKOS_FUNCTION void store(Slice const& mine, index_t row, ColumnRange const& columns,
                             Slice::Elements const& x) const
  {
    unrolled<pairs>([&](auto p) {
      constexpr int e = decltype(p)::value % 2;
      constexpr int high = decltype(p)::value / 2;
      index_t const at = row + 8 * e + 2 * mine.t;
      index_t const column = 8 * high + mine.g;
      if (column >= columns.count || at >= rows_)
        return;
      double* const to = &a_(at, columns.first + column);
      if (rows_are_together<A> && at + 1 < rows_) {
        *reinterpret_cast<Pair*>(to) = {{x[e][2 * high], x[e][2 * high + 1]}};
        return;
      }
      *to = x[e][2 * high];
      if (at + 1 < rows_)
        a_(at + 1, columns.first + column) = x[e][2 * high + 1];
    });
  }

  A a_;
  index_t rows_;
  ColumnRange panel_;
  ColumnRange rest_;
  int units_;  ///< of the rest's columns
  int slices_; ///< of a tile's rows
  index_t teams_;
  double const* coefficients_;
  double* partials_;
};

} // namespace strata::mgs
