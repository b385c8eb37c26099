#pragma once

#include "triangle.hpp"
#include "warp_blocks.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "tiles/small_cholesky.hpp"

#include <cmath>
#include <cstddef>

namespace strata::mgs {

/// Cholesky's U of the products of all columns, and U⁻¹, by one team of warps, in its scratch
/// memory; all as Triangle has them. Columns that pad the last strip become those of the
/// identity. Source: Golub and Van Loan, section 4.2.
struct WideFactor
{
  static constexpr char const* name() { return "strata::mgs::WideFactor"; }
  static constexpr int members = 512;
  static constexpr unsigned teams_at_once = 1;
  static constexpr int compute_capability = 80;
  static constexpr std::size_t scratch_bytes =
      sizeof(double) * Triangle{Triangle::most_strips}.size();

  index_t columns;
  double const* products;
  double* u;
  double* inverse;
  double most_growth; ///< of rounding in U⁻¹
  double* refused;    ///< 1 where it can grow more, or there is no U, else 0

  [[nodiscard]] static constexpr index_t teams() { return 1; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto const triangle = Triangle::of(columns);
    auto* const blocks = static_cast<double*>(team.scratch());
    Warp<Team> const warp(team, triangle, blocks);
    load(team, triangle, blocks);
    for (int j = 0; j < triangle.strips; ++j) {
      if (warp.index == 0)
        factor_diagonal(team, warp.block(j, j), u + triangle.block(j, j) * block_size);
      team.barrier();
      // The strip's rows of U, then what is left of the products behind it.
      for (int k = j + 1 + warp.index; k < triangle.strips; k += warp.count)
        warp.replace(j, k, [&](auto& sums) {
          warp.template add_product<true>(warp.block(j, j), warp.block(j, k), 1, sums);
        });
      team.barrier();
      int n = 0;
      for (int i = j + 1; i < triangle.strips; ++i)
        for (int k = i; k < triangle.strips; ++k)
          if (n++ % warp.count == warp.index)
            warp.subtract(i, k, warp.block(j, i), warp.block(j, k));
      team.barrier();
    }
    store_u(team, triangle, blocks);
    team.barrier();
    invert(team, warp, triangle);
    store(team, triangle, blocks);
    bool const grows = grows_more(team, triangle, blocks);
    if (team.rank() == 0)
      *refused = grows ? 1 : 0;
  }

private:
  static constexpr int width = Triangle::width;
  static constexpr int block_size = Triangle::block_size;
  template <class Team>
  using Warp = WarpBlocks<Team>;

  template <class Team>
  KOKKOS_FUNCTION void load(Team const& team, Triangle const& triangle, double* blocks) const
  {
    for (int n = team.rank(); n < triangle.size(); n += Team::size)
      blocks[Warp<Team>::place(n)] = products[n];
    team.barrier();
    for (int c = static_cast<int>(columns) + team.rank(); c < triangle.columns();
         c += Team::size)
      blocks[Warp<Team>::place(triangle.at(c, c))] = 1;
    team.barrier();
  }

  /// Of a block on the diagonal: U to memory, U⁻¹ in place of it. A lane has a column; those
  /// from `width` on have copies of the others', which they do not store.
  template <class Team>
  KOKKOS_FUNCTION void factor_diagonal(Team const& team, double* block, double* to) const
  {
    constexpr int warp = Warp<Team>::size;
    int const k = team.rank() % width;
    double x[width];
    double roots[width];
    unrolled<width>([&](auto i) { x[i] = i <= k ? block[Warp<Team>::place(i, k)] : 0; });
    unrolled<width>([&](auto j) {
      roots[j] = inverse_root(team.template value_of<warp>(x[j], j));
      x[j] *= roots[j];
      unrolled<width>([&](auto i) {
        if constexpr (i > j) {
          double const of_row = team.template value_of<warp>(x[j], i);
          x[i] -= i <= k ? of_row * x[j] : 0;
        }
      });
    });
    bool const stores = team.rank() < width;
    team.template barrier_of<warp>();
    if (stores)
      unrolled<width>([&](auto i) {
        to[i * width + k] = x[i];
        block[Warp<Team>::place(i, k)] = x[i];
      });
    team.template barrier_of<warp>();
    double y[width];
    unrolled<width>([&](auto i) { y[i] = i == k ? 1 : 0; });
    unrolled<width>([&](auto from_end) {
      constexpr int m = width - 1 - decltype(from_end)::value;
      y[m] *= roots[m];
      unrolled<m>([&](auto i) { y[i] -= block[Warp<Team>::place(i, m)] * y[m]; });
    });
    team.template barrier_of<warp>();
    if (stores)
      unrolled<width>([&](auto i) { block[Warp<Team>::place(i, k)] = y[i]; });
  }

  /// But for the blocks on the diagonal, which are there.
  template <class Team>
  KOKKOS_FUNCTION void store_u(Team const& team, Triangle const& triangle,
                               double const* blocks) const
  {
    for (int i = 0; i < triangle.strips; ++i)
      for (int n = triangle.block(i, i) * block_size + block_size + team.rank();
           n < (triangle.block(i, triangle.strips - 1) + 1) * block_size; n += Team::size)
        u[n] = blocks[Warp<Team>::place(n)];
  }
  template <class Team>
  KOKKOS_FUNCTION void store(Team const& team, Triangle const& triangle,
                             double const* blocks) const
  {
    for (int n = team.rank(); n < triangle.size(); n += Team::size)
      inverse[n] = blocks[Warp<Team>::place(n)];
  }

  /// U⁻¹ in place of U, strip after strip of columns: V(k) = -V·U(k)·V(k, k), with V the
  /// inverse of what is before the strip.
  template <class Team>
  KOKKOS_FUNCTION void invert(Team const& team, Warp<Team> const& warp,
                              Triangle const& triangle) const
  {
    for (int k = 1; k < triangle.strips; ++k) {
      for (int m = warp.index; m < k; m += warp.count)
        warp.replace(m, k, [&](auto& sums) {
          warp.template add_product<false>(warp.block(m, k), warp.block(k, k), -1, sums);
        });
      team.barrier();
      // A row needs those below it as they were: from the top, all warps' at once.
      for (int first = 0; first < k; first += warp.count) {
        int const i = first + warp.index;
        typename Warp<Team>::Sums sums = {};
        for (int m = i; m < k; ++m)
          warp.template add_product<false>(warp.block(i, m), warp.block(m, k), 1, sums);
        team.barrier();
        if (i < k)
          warp.write(warp.block(i, k), sums);
        team.barrier();
      }
    }
  }

  /// Whether a row sum of |D·U⁻¹| is greater than most_growth, with D the columns' norms: no
  /// rounding of one of their products grows by more.
  template <class Team>
  KOKKOS_FUNCTION bool grows_more(Team const& team, Triangle const& triangle,
                                  double const* blocks) const
  {
    bool grows = false;
    for (int row = team.rank(); row < columns; row += Team::size) {
      double sum = 0;
      for (int column = row / width * width; column < columns; ++column)
        sum += std::abs(blocks[Warp<Team>::place(triangle.at(row, column))]);
      grows = grows || !(sum * std::sqrt(products[triangle.at(row, row)]) <= most_growth);
    }
    return team.any(grows);
  }
};

/// R = U, or U·before. A work item has a row and a column.
struct WideR
{
  static constexpr char const* name() { return "strata::mgs::WideR"; }
  index_t columns;
  double const* u;
  double const* before; ///< as Triangle has it; or null
  double* r;
  index_t pitch; ///< of r's rows

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    auto const triangle = Triangle::of(columns);
    int const row = static_cast<int>(item / columns);
    int const column = static_cast<int>(item % columns);
    if (column < row)
      return;
    double sum = 0;
    if (before == nullptr)
      sum = u[triangle.at(row, column)];
    else
      for (int b = row; b <= column; ++b)
        sum += u[triangle.at(row, b)] * before[triangle.at(b, column)];
    r[row * pitch + column] = sum;
  }
};

} // namespace strata::mgs
