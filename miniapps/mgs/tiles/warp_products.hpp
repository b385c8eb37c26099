#pragma once

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

namespace strata {

/// Products XᵀX of a tile of rows, X(row, column), summed in the registers of 32 work items;
/// each holds two neighbouring elements of every block of 8 × 8. Uses the double-precision
/// tensor cores of an NVIDIA GPU that has them. Units is the number of columns over 8. Since
/// XᵀX is symmetric, only the blocks on and above the diagonal are computed, and of these the
/// first `lefts` rows and the first `rights` columns of blocks.
template <int Units>
class WarpProducts
{
public:
  static constexpr int members = 32;
  static constexpr int unit = 8;

  /// Adds the products of `rows` rows (a multiple of 4), `pitch` apart, element (0, 0) at
  /// `tile`; by all members at once.
  KOKKOS_FUNCTION void add(int member, double const* tile, int rows, int pitch, int lefts,
                           int rights)
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    double const* const at = tile + member % 4 * pitch + member / 4;
    for (int row = 0; row < rows; row += 4) {
      double x[Units];
      unrolled<Units>([&](auto u) { x[u] = u < rights ? at[row * pitch + unit * u] : 0.0; });
      each_block(lefts, rights, [&](auto block) {
        constexpr int n = decltype(block)::value;
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(sum_[n][0]), "+d"(sum_[n][1])
            : "d"(x[left_of(n)]), "d"(x[right_of(n)]));
      });
    }
#else
    for (int row = 0; row < rows; ++row) {
      double const* const x = tile + row * pitch;
      each_block(lefts, rights, [&](auto block) {
        constexpr int n = decltype(block)::value;
        double const left = x[row_of(member, n)];
        sum_[n][0] += left * x[column_of(member, n)];
        sum_[n][1] += left * x[column_of(member, n) + 1];
      });
    }
#endif
  }
  /// Calls f(row, column, sum) for the elements of this member.
  template <class F>
  KOKKOS_FUNCTION void for_each(int member, int lefts, int rights, F const& f) const
  {
    each_block(lefts, rights, [&](auto block) {
      constexpr int n = decltype(block)::value;
      f(row_of(member, n), column_of(member, n), sum_[n][0]);
      f(row_of(member, n), column_of(member, n) + 1, sum_[n][1]);
    });
  }

private:
  static constexpr int blocks = Units * (Units + 1) / 2;

  // Blocks are numbered along the rows of the upper triangle.
  static constexpr KOKKOS_FUNCTION int left_of(int block)
  {
    int left = 0;
    for (; block >= Units - left; ++left)
      block -= Units - left;
    return left;
  }
  static constexpr KOKKOS_FUNCTION int right_of(int block)
  {
    int const left = left_of(block);
    return block - left * Units + left * (left - 1) / 2 + left;
  }
  static KOKKOS_FUNCTION int row_of(int member, int block)
  {
    return unit * left_of(block) + member / 4;
  }
  static KOKKOS_FUNCTION int column_of(int member, int block)
  {
    return unit * right_of(block) + 2 * (member % 4);
  }
  template <class F>
  static KOKKOS_FUNCTION void each_block(int lefts, int rights, F const& f)
  {
    unrolled<blocks>([&](auto block) {
      constexpr int left = left_of(decltype(block)::value);
      constexpr int right = right_of(decltype(block)::value);
      if (left < lefts && right < rights)
        f(block);
    });
  }

  double sum_[blocks][2] = {};
};

} // namespace strata
