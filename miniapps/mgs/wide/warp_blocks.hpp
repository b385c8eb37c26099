#pragma once

#include "triangle.hpp"

#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"

namespace strata::mgs {

/// A warp's products of blocks of 16 × 16 in a team's scratch memory. Elements of a row are
/// permuted so that lanes that load at once are in different banks. A lane has g = lane / 4 and
/// t = lane % 4.
template <class Team>
class WarpBlocks
{
public:
  static constexpr int size = 32; ///< lanes
  /// Of a block: sums[h][2 low + odd] is of row g + 8 low and column 8h + 2t + odd.
  using Sums = double[2][4];

  KOKKOS_FUNCTION WarpBlocks(Team const& team, Triangle const& triangle, double* blocks)
      : index(team.rank() / size)
      , count(Team::size / size)
      , team_(team)
      , g_(team.rank() % size / 4)
      , t_(team.rank() % 4)
      , triangle_(triangle)
      , blocks_(blocks)
  {
  }

  /// Where an element lies: within a block, and of all blocks.
  KOKKOS_FUNCTION static constexpr int place(int row, int column)
  {
    return row * Triangle::width + (column ^ (row % 4 * 4));
  }
  KOKKOS_FUNCTION static constexpr int place(int n)
  {
    int const within = n % Triangle::block_size;
    return n - within + place(within / Triangle::width, within % Triangle::width);
  }
  [[nodiscard]] KOKKOS_FUNCTION double* block(int down, int across) const
  {
    return blocks_ + triangle_.block(down, across) * Triangle::block_size;
  }

  /// sums += sign·a·b, or with aᵀ.
  template <bool Transposed>
  KOKKOS_FUNCTION void add_product(double const* a, double const* b, double sign,
                                   Sums& sums) const
  {
    auto const of_a = [&](int row, int k) {
      return sign * a[Transposed ? place(k, row) : place(row, k)];
    };
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unrolled<Triangle::width / 4>([&](auto step) {
      int const k = 4 * step + t_;
      unrolled<2>([&](auto h) {
        nvidia::add_product(sums[h], of_a(g_, k), of_a(g_ + 8, k), b[place(k, 8 * h + g_)]);
      });
    });
#else
    each(sums, [&](int row, int column, double& sum) {
      for (int k = 0; k < Triangle::width; ++k)
        sum += of_a(row, k) * b[place(k, column)];
    });
#endif
  }
  KOKKOS_FUNCTION void write(double* block, Sums const& sums) const
  {
    each(sums, [&](int row, int column, double sum) { block[place(row, column)] = sum; });
  }
  /// A block becomes what `add` adds up of this and other blocks.
  template <class Add>
  KOKKOS_FUNCTION void replace(int down, int across, Add const& add) const
  {
    Sums sums = {};
    add(sums);
    team_.template barrier_of<size>();
    write(block(down, across), sums);
  }
  /// A block becomes itself less aᵀ·b.
  KOKKOS_FUNCTION void subtract(int down, int across, double const* a, double const* b) const
  {
    Sums sums;
    double* const to = block(down, across);
    each(sums, [&](int row, int column, double& sum) { sum = to[place(row, column)]; });
    add_product<true>(a, b, -1, sums);
    write(to, sums);
  }

  int index; ///< of the team's warps
  int count;

private:
  /// Calls f(row, column, sum) for a lane's elements.
  template <class S, class F>
  KOKKOS_FUNCTION void each(S& sums, F const& f) const
  {
    unrolled<2>([&](auto h) {
      unrolled<4>([&](auto e) { f(g_ + e / 2 * 8, 8 * h + 2 * t_ + e % 2, sums[h][e]); });
    });
  }

  Team const& team_;
  int g_, t_;
  Triangle triangle_;
  double* blocks_;
};

} // namespace strata::mgs
