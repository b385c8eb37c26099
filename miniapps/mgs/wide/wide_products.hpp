#pragma once

#include "column_tiles.hpp"
#include "shares.hpp"
#include "triangle.hpp"

#include "array/access/pack.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::mgs {

/// Partial sums of aᵀ·a for all columns, on an NVIDIA GPU, as Triangle has them. Each column is
/// read once: a team's warps have all sums in their registers. A lane has g = lane / 4 and t =
/// lane % 4.
template <class A>
class WideProducts
{
public:
  static constexpr char const* name() { return "strata::mgs::WideProducts"; }
  static constexpr int members = 256;
  static constexpr unsigned teams_at_once = 1;
  static constexpr int compute_capability = 80;

private:
  static constexpr int rows = 32;
  static constexpr int group = 8; ///< rows of a step
  static constexpr int groups = rows / group;
  static constexpr int pitch = rows + 8; ///< lanes that load at once are in different banks
  static constexpr int warp = 32;
  static constexpr int unit = 8;
  static constexpr int at_once = 2; ///< blocks that are loaded before they are needed
  static constexpr int most = Shares::most_blocks;
  static_assert(members == warp * Shares::warps && most % at_once == 0);
  using Tiles = ColumnTiles<A, rows, pitch, 3>;
  using Sums = double[most][4];
  using Pair = Pack<double, 2>;

public:
  static constexpr std::size_t scratch_bytes =
      Tiles::bytes_of(static_cast<int>(most_wide_columns));

  WideProducts(A const& a, index_t row_count, index_t columns, double* partials)
      : WideProducts(a, row_count, columns, partials, 0)
  {
    teams_ = std::min(Tiles::count(rows_, held_), teams_of_device<WideProducts>());
  }
  /// By so many teams.
  WideProducts(A const& a, index_t row_count, index_t columns, double* partials,
               index_t team_count)
      : a_(a)
      , rows_(row_count)
      , columns_(static_cast<int>(columns))
      , triangle_(Triangle::of(columns))
      , shares_(Shares::make(triangle_))
      , held_(held(triangle_))
      , teams_(team_count)
      , partials_(partials)
  {
  }
  [[nodiscard]] index_t teams() const { return teams_; }
  /// Number of partial sums of each product.
  [[nodiscard]] index_t parts() const { return teams_ * shares_.slices; }
  /// The same, at most.
  static index_t most_parts(index_t columns)
  {
    return teams_of_device<WideProducts>() * Shares::make(Triangle::of(columns)).slices;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    int const index = team.rank() / warp;
    int const slice = index / shares_.of_slice;
    bool const has_work = slice < shares_.slices;
    Lane const mine(team.rank() % warp, shares_.of[index % shares_.of_slice]);
    Sums sums = {};
    Tiles const tiles(a_, rows_, columns_, triangle_.columns(), held_,
                      static_cast<double*>(team.scratch()));
    tiles.each(team, team.index(), teams_, [&](index_t, double const* tile) {
      for (int n = slice; n < held_ * groups && has_work; n += shares_.slices)
        mine.add(tile + n / groups * triangle_.columns() * pitch + n % groups * group, sums);
    });
    if (!has_work)
      return;
    double* const to = partials_ + (team.index() * shares_.slices + slice) * triangle_.size();
    mine.each_sum(
        sums, [&](int left, int right, double sum) { to[triangle_.at(left, right)] = sum; });
  }

private:
  /// Slices of a tile: as many as there is memory for, so that enough is on its way.
  static int held(Triangle const& triangle)
  {
    int slices = 4;
    while (slices > 1 && slices * triangle.columns() > most_wide_columns)
      slices /= 2;
    return slices;
  }

  struct Lane
  {
    KOKKOS_FUNCTION Lane(int lane, Share const& of)
        : g(lane / 4)
        , t(lane % 4)
        , share(of)
    {
    }

    /// Adds products of eight rows.
    KOKKOS_FUNCTION void add(double const* x, Sums& sums) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
      // Both operands number the rows alike: a lane takes rows 2t and 2t + 1.
      double const* const own = x + g * pitch + 2 * t;
      auto const pair_at = [](double const* place) {
        return *reinterpret_cast<Pair const*>(place);
      };
      Pair left[2][2];
      unrolled<2>([&](auto s) {
        double const* const strip = own + Triangle::width * pitch * share.strip[s];
        unrolled<2>([&](auto high) { left[s][high] = pair_at(strip + unit * pitch * high); });
      });
      double const* const first = own + unit * pitch * share.unit[0];
      double const* const second = own + unit * pitch * (share.unit[1] - share.split);
      auto const right = [&](int n) { // in place of one behind the last, the last
        int const there = n < share.count ? n : share.count - 1;
        return pair_at((there < share.split ? first : second) + unit * pitch * there);
      };
      Pair next[at_once];
      unrolled<at_once>([&](auto c) { next[c] = right(c); });
      unrolled<most / at_once>([&](auto step) {
        constexpr int n = at_once * decltype(step)::value;
        if (n >= share.count)
          return;
        Pair now[at_once];
        unrolled<at_once>([&](auto c) { now[c] = next[c]; });
        if constexpr (n + at_once < most)
          unrolled<at_once>([&](auto c) { next[c] = right(n + at_once + c); });
        unrolled<at_once>([&](auto c) {
          bool const in_first = n + c < share.split;
          double a[4];
          unrolled<4>([&](auto e) {
            a[e] = in_first ? left[0][e % 2].lane[e / 2] : left[1][e % 2].lane[e / 2];
          });
          nvidia::add_product(sums[n + c], a, now[c].lane);
        });
      });
#else
      each_sum(sums, [&](int left, int right, double& sum) {
        for (int row = 0; row < group; ++row)
          sum += x[left * pitch + row] * x[right * pitch + row];
      });
#endif
    }
    /// Calls f(left column, right column, sum).
    template <class S, class F>
    KOKKOS_FUNCTION void each_sum(S& sums, F const& f) const
    {
      unrolled<most>([&](auto n) {
        if (n >= share.count)
          return;
        bool const in_first = n < share.split;
        int const strip = in_first ? share.strip[0] : share.strip[1];
        int const right = n + (in_first ? share.unit[0] : share.unit[1] - share.split);
        unrolled<4>([&](auto e) {
          f(Triangle::width * strip + e / 2 * unit + g, unit * right + 2 * t + e % 2,
            sums[n][e]);
        });
      });
    }

    int g, t;
    Share share;
  };

  A a_;
  index_t rows_;
  int columns_;
  Triangle triangle_;
  Shares shares_;
  int held_; ///< slices of a tile
  index_t teams_;
  double* partials_;
};

} // namespace strata::mgs
