#pragma once

#include "column_tiles.hpp"
#include "triangle.hpp"

#include "array/access/pack.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"
#include "tiles/row_pairs.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::mgs {

/// a = a·U⁻¹ for all columns, in one pass, on an NVIDIA GPU. Rows that pad `a` to a multiple of
/// 16 may become 0, so that a store needs no branch. A warp has the parts of U⁻¹ that make one
/// strip of columns, or a long and a short one, which together are as long as the longest; most
/// of them are in its registers. A lane has g = lane / 4 and t = lane % 4.
template <class A>
class WideQuotient
{
public:
  static constexpr char const* name() { return "strata::mgs::WideQuotient"; }
  static constexpr int members = 256;
  static constexpr unsigned teams_at_once = 1;
  static constexpr int compute_capability = 80;

private:
  static constexpr int rows = 16;
  static constexpr int pitch = rows + 4; ///< lanes that load at once are in different banks
  static constexpr int warp = 32;
  static constexpr int warps = members / warp;
  static constexpr int unit = 8;
  static constexpr int of_strip = Triangle::width / 4; ///< steps over a strip of rows of U⁻¹
  static constexpr int most_steps = of_strip * Triangle::most_strips;
  static constexpr int in_registers = 36; ///< steps
  static constexpr int in_scratch = most_steps - in_registers;
  using Tiles = ColumnTiles<A, rows, pitch, 4>;
  using Pair = Pack<double, 2>;
  /// Of a slice: x[e][2 high + odd] is of column g + 8 high and row 8e + 2t + odd.
  using Elements = double[2][4];

  /// Warps that have all strips.
  KOKKOS_FUNCTION static constexpr int warps_for(int strips) { return strips / 2 + 1; }
  KOKKOS_FUNCTION static constexpr int slices_for(int strips)
  {
    return warps / warps_for(strips);
  }
  static constexpr int most_tile_columns_of_all()
  {
    int most = 0;
    for (int strips = 1; strips <= Triangle::most_strips; ++strips)
      most = std::max(most, slices_for(strips) * strips * Triangle::width);
    return most;
  }

public:
  static constexpr std::size_t scratch_bytes =
      sizeof(Pair) * warps * warp * in_scratch + Tiles::bytes_of(most_tile_columns_of_all());

  /// `inverse`: U⁻¹, as Triangle has it.
  WideQuotient(A const& a, index_t row_count, index_t columns, double const* inverse)
      : WideQuotient(a, row_count, columns, inverse, 0)
  {
    teams_ = std::min(Tiles::count(rows_, slices_), teams_of_device<WideQuotient>());
  }
  /// By so many teams.
  WideQuotient(A const& a, index_t row_count, index_t columns, double const* inverse,
               index_t team_count)
      : a_(a)
      , rows_(row_count)
      , columns_(static_cast<int>(columns))
      , triangle_(Triangle::of(columns))
      , slices_(slices_for(triangle_.strips))
      , teams_(team_count)
      , inverse_(inverse)
  {
  }
  [[nodiscard]] index_t teams() const { return teams_; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    int const index = team.rank() / warp;
    int const of_slice = warps_for(triangle_.strips);
    int const slice = index / of_slice;
    Lane const mine(team.rank() % warp, index % of_slice, triangle_.strips);
    auto* const scratch = static_cast<Pair*>(team.scratch());
    Pair* const others = scratch + index * in_scratch * warp + team.rank() % warp;
    double u[in_registers][2];
    unrolled<most_steps>([&](auto n) {
      unrolled<2>([&](auto high) {
        double const value = of_inverse(mine, n, high);
        if constexpr (n < in_registers)
          u[n][high] = value;
        else
          others[(n - in_registers) * warp].lane[decltype(high)::value] = value;
      });
    });
    Tiles const tiles(a_, rows_, columns_, triangle_.columns(), slices_,
                      reinterpret_cast<double*>(scratch + members * in_scratch));
    tiles.each(team, team.index(), teams_, [&](index_t tile, double const* memory) {
      if (slice >= slices_)
        return;
      double const* const x = memory + slice * triangle_.columns() * pitch;
      divide(mine, u, others, x, [&](int strip, Elements const& sums) {
        store(mine, tiles.row(tile, slice), strip, sums);
      });
    });
  }

private:
  struct Lane
  {
    KOKKOS_FUNCTION Lane(int lane, int warp_index, int strips)
        : g(lane / 4)
        , t(lane % 4)
        , strip(strips - 1 - warp_index)
        , other(warp_index - 1)
        , of_first(of_strip * (strip + 1))
        , steps(other >= 0 && other < strip ? of_first + of_strip * (other + 1) : of_first)
    {
    }
    int g, t;
    int strip;    ///< made first,
    int other;    ///< then this one, if there are steps for it
    int of_first; ///< steps of the first, four rows of U⁻¹ each
    int steps;    ///< of both
  };

  /// What a lane needs of U⁻¹ for a step.
  [[nodiscard]] KOKKOS_FUNCTION double of_inverse(Lane const& mine, int step, int high) const
  {
    bool const of_first = step < mine.of_first;
    int const row = 4 * (of_first ? step : step - mine.of_first) + mine.t;
    int const column =
        Triangle::width * (of_first ? mine.strip : mine.other) + unit * high + mine.g;
    return step < mine.steps ? inverse_[triangle_.at(row, column)] : 0;
  }

  /// Calls f(strip, its elements of x·U⁻¹), for one strip or two.
  template <class F>
  KOKKOS_FUNCTION void divide(Lane const& mine, double const (&u)[in_registers][2],
                              Pair const* others, double const* x, F const& f) const
  {
    Elements sums = {};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    double const* at = x + mine.t * pitch + mine.g;
    unrolled<most_steps / of_strip>([&](auto block) {
      constexpr int first = of_strip * decltype(block)::value;
      if (first >= mine.steps)
        return;
      if (first == mine.of_first) {
        f(mine.strip, sums);
        unrolled<2>([&](auto e) { unrolled<4>([&](auto n) { sums[e][n] = 0; }); });
        at -= 4 * first * pitch;
      }
      unrolled<of_strip / 2>([&](auto pair) {
        constexpr int n = first + 2 * decltype(pair)::value;
        double of_both[4];
        unrolled<2>([&](auto next) {
          constexpr int step = n + decltype(next)::value;
          unrolled<2>([&](auto high) {
            if constexpr (step < in_registers)
              of_both[2 * next + high] = u[step][high];
            else
              of_both[2 * next + high] = others[(step - in_registers) * warp].lane[high];
          });
        });
        unrolled<2>([&](auto e) {
          double const of_rows[2] = {at[4 * n * pitch + 8 * e],
                                     at[4 * (n + 1) * pitch + 8 * e]};
          nvidia::add_product(sums[e], of_both, of_rows);
        });
      });
    });
    f(mine.steps > mine.of_first ? mine.other : mine.strip, sums);
#else
    static_cast<void>(u);
    static_cast<void>(others);
    multiply(mine, x, mine.strip, sums);
    f(mine.strip, sums);
    if (mine.steps > mine.of_first) {
      multiply(mine, x, mine.other, sums);
      f(mine.other, sums);
    }
#endif
  }
  /// A strip of x·U⁻¹ without tensor cores.
  KOKKOS_FUNCTION void multiply(Lane const& mine, double const* x, int strip,
                                Elements& sums) const
  {
    for (int e = 0; e < 2; ++e)
      for (int n = 0; n < 4; ++n) {
        int const row = 8 * e + 2 * mine.t + n % 2;
        int const column = Triangle::width * strip + n / 2 * unit + mine.g;
        sums[e][n] = 0;
        for (int k = 0; k < Triangle::width * (strip + 1); ++k)
          sums[e][n] += x[k * pitch + row] * inverse_[triangle_.at(k, column)];
      }
  }
  KOKKOS_FUNCTION void store(Lane const& mine, index_t first, int strip,
                             Elements const& sums) const
  {
    if (first >= rows_)
      return;
    RowPairs<A, rows, true> const tile(a_, first + rows, {0, columns_}, first);
    unrolled<2>([&](auto high) {
      int const column = Triangle::width * strip + unit * high + mine.g;
      if (column < columns_)
        unrolled<2>([&](auto e) {
          int const row = 8 * e + 2 * mine.t;
          if constexpr (rows_are_together<A>)
            tile.write(row, column, sums[e][2 * high], sums[e][2 * high + 1]);
          else { // RowPairs takes more registers than there are
            if (first + row < rows_)
              a_(first + row, column) = sums[e][2 * high];
            if (first + row + 1 < rows_)
              a_(first + row + 1, column) = sums[e][2 * high + 1];
          }
        });
    });
  }

  A a_;
  index_t rows_;
  int columns_;
  Triangle triangle_;
  int slices_;
  index_t teams_;
  double const* inverse_;
};

} // namespace strata::mgs
