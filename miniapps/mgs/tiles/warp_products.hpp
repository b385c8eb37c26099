#pragma once

#include "fragment_product.hpp"

#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"

namespace strata {

/// Products XᵀX of a tile of rows, X(row, column), summed in the registers of 32 work items.
/// Uses the double-precision tensor cores of an NVIDIA GPU that has them. Units is the number
/// of columns over 8. A block is of 16 rows and 8 columns of the products; where Units is
/// odd, the last rows of the last one are no columns of X. Since XᵀX is symmetric, only the
/// blocks that reach the diagonal or lie above it are computed, and of these the first `lefts`
/// units of rows and the first `rights` of columns.
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
      double x[2 * pairs] = {};
      unrolled<Units>([&](auto u) { x[u] = u < rights ? at[row * pitch + unit * u] : 0.0; });
      each_block(lefts, rights, [&](auto block) {
        constexpr int n = decltype(block)::value;
        nvidia::add_product(sum_[n], x[2 * pair_of(n)], x[2 * pair_of(n) + 1], x[right_of(n)]);
      });
    }
#else
    for (int row = 0; row < rows; ++row) {
      double const* const x = tile + row * pitch;
      each_block(lefts, rights, [&](auto block) {
        constexpr int n = decltype(block)::value;
        each_element(member, block, lefts,
                     [&](int left, int right, int e) { sum_[n][e] += x[left] * x[right]; });
      });
    }
#endif
  }
  /// Adds the products of eight rows; x(unit, half) is, of a lane with g = lane / 4 and t =
  /// lane % 4, column 8 unit + g of the row that the warp numbers t + 4 half.
  template <class Team, class X>
  KOKKOS_FUNCTION void add(Team const& team, X const& x)
  {
    each_block(Units, Units, [&](auto block) {
      constexpr int n = decltype(block)::value;
      constexpr int low = 2 * pair_of(n);
      constexpr int high = low + 1 < Units ? low + 1 : low;
      double const a[4] = {x(Number<low>(), Number<0>()), x(Number<high>(), Number<0>()),
                           x(Number<low>(), Number<1>()), x(Number<high>(), Number<1>())};
      double const b[2] = {x(Number<right_of(n)>(), Number<0>()),
                           x(Number<right_of(n)>(), Number<1>())};
      mgs::add_fragments(team, sum_[n], a, b);
    });
  }
  /// Calls f(n, value) for a lane's `values` sums.
  template <class F>
  KOKKOS_FUNCTION void each_value(F const& f)
  {
    unrolled<blocks>([&](auto n) { unrolled<4>([&](auto e) { f(4 * n + e, sum_[n][e]); }); });
  }
  /// Calls f(row, column, sum) for the elements of this member, each of the unit blocks on and
  /// above the diagonal.
  template <class F>
  KOKKOS_FUNCTION void for_each(int member, int lefts, int rights, F const& f) const
  {
    each_block(lefts, rights, [&](auto block) {
      constexpr int n = decltype(block)::value;
      each_element(member, block, lefts,
                   [&](int left, int right, int e) { f(left, right, sum_[n][e]); });
    });
  }

private:
  static constexpr int pairs = (Units + 1) / 2; ///< of units of rows

  // The blocks of a pair of units are those of its first unit's row, from the diagonal on.
  static constexpr KOKKOS_FUNCTION int pair_of(int block)
  {
    int pair = 0;
    for (; block >= Units - 2 * pair; ++pair)
      block -= Units - 2 * pair;
    return pair;
  }
  static constexpr KOKKOS_FUNCTION int right_of(int block)
  {
    int const pair = pair_of(block);
    for (int before = 0; before < pair; ++before)
      block -= Units - 2 * before;
    return 2 * pair + block;
  }
  static constexpr int blocks = pairs * (Units + 1 - pairs); ///< Units, Units - 2, ... of pairs

public:
  static constexpr int values = 4 * blocks; ///< of a lane

private:
  template <class F>
  static KOKKOS_FUNCTION void each_block(int lefts, int rights, F const& f)
  {
    unrolled<blocks>([&](auto block) {
      constexpr int n = decltype(block)::value;
      if (2 * pair_of(n) < lefts && right_of(n) < rights)
        f(block);
    });
  }
  /// Calls f(row, column, e) for a member's elements of a block: e numbers the four that the
  /// instruction gives it.
  template <class Block, class F>
  static KOKKOS_FUNCTION void each_element(int member, Block, int lefts, F const& f)
  {
    constexpr int n = Block::value;
    unrolled<2>([&](auto upper) {
      constexpr int left = 2 * pair_of(n) + decltype(upper)::value;
      if constexpr (left <= right_of(n))
        if (left < lefts)
          unrolled<2>([&](auto e) {
            f(unit * left + member / 4, unit * right_of(n) + 2 * (member % 4) + e,
              2 * decltype(upper)::value + e);
          });
    });
  }

  double sum_[blocks][4] = {};
};

} // namespace strata
