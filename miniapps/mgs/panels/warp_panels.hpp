#pragma once

#include "blocks.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"
#include "tiles/row_pairs.hpp"

#include <algorithm>
#include <cstddef>

// Products and updates of panels on a GPU, a warp at a time; on the double-precision tensor
// cores of an NVIDIA GPU that has them. A lane has g = lane / 4 and t = lane % 4.

namespace strata::mgs {

/// Partial sums of leftᵀ·right. A part is a share of the tiles of rows; it has a team for each
/// block of products, and these find each other's columns in cache.
template <class A>
class WarpPanelProducts
{
public:
  static constexpr char const* name() { return "strata::mgs::PanelProducts"; }
  static constexpr int members = 32;
  static constexpr unsigned teams_at_once = 12;

  WarpPanelProducts(A const& a, index_t row_count, PanelPair const& of, double* partials)
      : WarpPanelProducts(a, row_count, of, partials, parts(row_count, of.blocks()))
  {
  }
  WarpPanelProducts(A const& a, index_t row_count, PanelPair const& of, double* partials,
                    index_t part_count)
      : a_(a)
      , rows_(row_count)
      , of_(of)
      , parts_(part_count)
      , partials_(partials)
  {
  }
  [[nodiscard]] index_t teams() const { return of_.blocks() * parts_; }
  /// Parts of so many blocks of products: AddParts adds them.
  static index_t parts(index_t row_count, index_t blocks)
  {
    index_t const tiles = (row_count + tile_rows - 1) / tile_rows;
    return std::max<index_t>(1, std::min(tiles, teams_of_device<WarpPanelProducts>() / blocks));
  }

  /// Nothing is done where `wanted` points to 0.
  void only_if(double const* wanted) { wanted_ = wanted; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (wanted_ != nullptr && *wanted_ == 0)
      return;
    index_t const block = team.index() % of_.blocks();
    index_t const part = team.index() / of_.blocks();
    auto const left = of_.left;
    auto const right = of_.right_of(block);
    bool const full = left.count == panel_width && right.count == panel_width;
    Sums sums = {};
    for (index_t row = part * tile_rows; row < rows_; row += parts_ * tile_rows)
      with_wholeness(full && row + tile_rows <= rows_, [&](auto whole) {
        using Tile = RowPairs<A, tile_rows, decltype(whole)::value>;
        add(team.rank(), Tile(a_, rows_, left, row), Tile(a_, rows_, right, row), sums);
      });
    constexpr int width = static_cast<int>(panel_width);
    double* const to = partials_ + team.index() * width * width;
    each_sum(team.rank(), sums,
             [&](int row, int column, double sum) { to[row * width + column] = sum; });
  }

private:
  static constexpr int tile_rows = 32;
  static constexpr int unit = 8;
  static constexpr int units = static_cast<int>(panel_width) / unit;
  /// Of 16 left columns by 8 right ones each, four a lane.
  using Sums = double[units / 2][units][4];

  /// Calls f(left column, right column, value) for a lane's sums.
  template <class S, class F>
  static KOKKOS_FUNCTION void each_sum(int lane, S& sums, F const& f)
  {
    unrolled<units / 2>([&](auto l) {
      unrolled<units>([&](auto r) {
        unrolled<4>([&](auto e) {
          f(2 * unit * l + e / 2 * unit + lane / 4, unit * r + 2 * (lane % 4) + e % 2,
            sums[l][r][e]);
        });
      });
    });
  }

  template <class Tile>
  static KOKKOS_FUNCTION void add(int lane, Tile const& left, Tile const& right, Sums& sums)
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    // Both operands number a step's four rows alike. A lane takes four rows that follow each
    // other, so that a load and the next one ask for whole cache lines.
    unrolled<Tile::rows / 16>([&](auto half) {
      typename Tile::Pair x[2][units];
      typename Tile::Pair y[2][units];
      unrolled<2>([&](auto n) {
        int const row = 16 * half + 4 * (lane % 4) + 2 * n;
        unrolled<units>([&](auto u) {
          x[n][u] = left.read(row, unit * u + lane / 4);
          y[n][u] = right.read(row, unit * u + lane / 4);
        });
      });
      unrolled<4>([&](auto k) {
        constexpr int n = decltype(k)::value / 2;
        constexpr int odd = decltype(k)::value % 2;
        unrolled<units / 2>([&](auto l) {
          unrolled<units>([&](auto r) {
            nvidia::add_product(sums[l][r], x[n][2 * l].lane[odd], x[n][2 * l + 1].lane[odd],
                                y[n][r].lane[odd]);
          });
        });
      });
    });
#else
    for (int row = 0; row < Tile::rows; ++row)
      each_sum(lane, sums, [&](int l, int r, double& sum) {
        sum += left.element(row, l) * right.element(row, r);
      });
#endif
  }

  A a_;
  index_t rows_;
  PanelPair of_;
  index_t parts_;
  double* partials_;
  double const* wanted_ = nullptr;
};

/// right -= left·C, `left` of at most panel_width columns. A team keeps the part of C of a
/// block of right columns in scratch memory; each of its warps has tiles of rows.
template <class A>
class WarpPanelUpdate
{
public:
  static constexpr char const* name() { return "strata::mgs::PanelUpdate"; }
  static constexpr int members = 128;
  static constexpr unsigned teams_at_once = 4;

private:
  static constexpr int tile_rows = 16;
  static constexpr int warp = 32;
  static constexpr int warps = members / warp;
  static constexpr int unit = 8;
  static constexpr int width = static_cast<int>(panel_width);
  static constexpr int units = width / unit;
  /// Stride of C's rows: four rows by four columns are in different banks.
  static constexpr int pitch = width + 4;

public:
  static constexpr std::size_t scratch_bytes = sizeof(double) * width * pitch;

  WarpPanelUpdate(A const& a, index_t row_count, PanelPair const& of, double const* products)
      : WarpPanelUpdate(a, row_count, of, products, groups(row_count, blocks_of(of.right)))
  {
  }
  /// By so many teams for each block of right columns.
  WarpPanelUpdate(A const& a, index_t row_count, PanelPair const& of, double const* products,
                  index_t group_count)
      : a_(a)
      , rows_(row_count)
      , of_(of)
      , groups_(group_count)
      , products_(products)
  {
  }
  [[nodiscard]] index_t teams() const { return blocks_of(of_.right) * groups_; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto* const c = static_cast<double*>(team.scratch());
    index_t const block = team.index() % blocks_of(of_.right);
    fetch(team, block, c);
    team.barrier();
    auto const right = block_of(of_.right, block);
    index_t const step = groups_ * warps * tile_rows;
    index_t const mine = team.index() / blocks_of(of_.right) * warps + team.rank() / warp;
    bool const full = of_.left.count == panel_width && right.count == panel_width;
    for (index_t row = mine * tile_rows; row < rows_; row += step)
      with_wholeness(full && row + tile_rows <= rows_, [&](auto whole) {
        using Tile = RowPairs<A, tile_rows, decltype(whole)::value>;
        update(team.rank() % warp, Tile(a_, rows_, of_.left, row), Tile(a_, rows_, right, row),
               c);
      });
  }

private:
  /// Teams that share a block of right columns.
  static index_t groups(index_t row_count, index_t blocks)
  {
    index_t const rows_of_team = warps * tile_rows;
    index_t const most = (row_count + rows_of_team - 1) / rows_of_team;
    return std::max<index_t>(1, std::min(most, teams_of_device<WarpPanelUpdate>() / blocks));
  }

  /// -C, so that products are added.
  template <class Team>
  KOKKOS_FUNCTION void fetch(Team const& team, index_t block, double* c) const
  {
    for (int n = team.rank(); n < width * width; n += Team::size)
      c[n / width * pitch + n % width] =
          -products_[PanelPair::at(n / width, block * width + n % width)];
  }

  template <class Tile>
  KOKKOS_FUNCTION void update(int lane, Tile const& left, Tile const& right,
                              double const* c) const
  {
    // Of 16 rows by 8 columns: rows 2g and 2g + 1 of columns 2t and 2t + 1.
    double sum[units][4];
    int const row = 2 * (lane / 4);
    unrolled<units>([&](auto n) {
      unrolled<2>([&](auto odd) {
        auto const pair = right.read(row, unit * n + 2 * (lane % 4) + odd);
        sum[n][odd] = pair.lane[0];
        sum[n][2 + odd] = pair.lane[1];
      });
    });
    add(lane, left, c, sum);
    unrolled<units>([&](auto n) {
      unrolled<2>([&](auto odd) {
        right.write(row, unit * n + 2 * (lane % 4) + odd, sum[n][odd], sum[n][2 + odd]);
      });
    });
  }

  template <class Tile>
  KOKKOS_FUNCTION void add(int lane, Tile const& left, double const* c,
                           double (&sum)[units][4]) const
  {
    int const row = 2 * (lane / 4);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    typename Tile::Pair x[width / 4];
    unrolled<width / 4>([&](auto k) { x[k] = left.read(row, 4 * k + lane % 4); });
    double const* const at = c + lane % 4 * pitch + lane / 4;
    unrolled<width / 4>([&](auto k) {
      unrolled<units>([&](auto n) {
        nvidia::add_product(sum[n], x[k].lane[0], x[k].lane[1], at[4 * k * pitch + unit * n]);
      });
    });
#else
    for (int k = 0; k < width; ++k)
      unrolled<units>([&](auto n) {
        unrolled<4>([&](auto e) {
          sum[n][e] +=
              left.element(row + e / 2, k) * c[k * pitch + unit * n + 2 * (lane % 4) + e % 2];
        });
      });
#endif
  }

  A a_;
  index_t rows_;
  PanelPair of_;
  index_t groups_;
  double const* products_;
};

} // namespace strata::mgs
