#pragma once

#include "panels.hpp"

#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"
#include "base/kokkos.hpp"

namespace strata::mgs {

/// What a warp of PanelPass has in registers, and its arithmetic: 16 columns of the rest by 16
/// rows, a slice of a tile. The tensor cores add to their transposes, so that a lane has an
/// updated element where the next product takes it from. A lane has g = lane / 4 and t = lane %
/// 4: its elements x[e][2 high + odd] are of column g + 8 high and row 8e + 2t + odd.
class PanelSlice
{
public:
  static constexpr int warp = 32;
  static constexpr int unit = 16; ///< columns
  static constexpr int rows = 16;
  static constexpr int width = static_cast<int>(panel_width);
  static constexpr int halves = width / unit;
  // Strides of columns in scratch memory: lanes that read at once are in different banks.
  static constexpr int panel_pitch = rows + 4;
  static constexpr int next_pitch = rows + 8;
  static constexpr int v_pitch = width + 4;

  using Elements = double[2][4];
  /// Of 16 columns of the next panel by 8 of the rest each.
  using Sums = double[halves][2][4];
  struct alignas(16) Pair
  {
    double lane[2];
  };
  static constexpr int pairs = 4; ///< of a lane's elements: number 2 high + e

  /// Of member `rank`, where `slices` slices have a warp for each of `units` units of `columns`
  /// columns.
  KOKKOS_FUNCTION PanelSlice(int rank, int units, int slices, int columns)
      : g(rank % warp / 4)
      , t(rank % 4)
      , unit_index(rank / warp % units)
      , index(rank / warp / units)
      , has_work(index < slices)
      , columns_(columns)
  {
  }
  /// Of the rest, the lane's column g, or g + 8.
  [[nodiscard]] KOKKOS_FUNCTION int column(int high) const
  {
    return unit * unit_index + 8 * high + g;
  }
  [[nodiscard]] KOKKOS_FUNCTION bool has_column(int high) const
  {
    return has_work && column(high) < columns_;
  }

  /// x += (panel·W)ᵀ with W of 16 columns: the lane's own W(4k + t, g) or, high, W(4k + t, g +
  /// 8), or any element.
  template <bool Rolled, class Own, class Any>
  KOKKOS_FUNCTION void add_panel(double const* panel, [[maybe_unused]] Own const& own,
                                 [[maybe_unused]] Any const& any, Elements& x) const
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    double const* const at = panel + t * panel_pitch + g;
    auto const add = [&](auto k) {
      unrolled<2>([&](auto e) {
        nvidia::add_product(x[e], own(k, Number<0>()), own(k, Number<1>()),
                            at[4 * k * panel_pitch + 8 * e]);
      });
    };
    if constexpr (Rolled) {
#pragma unroll 1
      for (int k = 0; k < width / 4; ++k)
        add(k);
    } else
      unrolled<width / 4>(add);
#else
    each_element([&](int row, int column, int e, int n) {
      for (int l = 0; l < width; ++l)
        x[e][n] += panel[l * panel_pitch + row] * any(l, column);
    });
#endif
  }
  /// Copies the lane's elements to the next panel's.
  KOKKOS_FUNCTION void give(Elements const& x, double* next) const
  {
    unrolled<pairs>([&](auto p) {
      constexpr int e = decltype(p)::value % 2;
      constexpr int high = decltype(p)::value / 2;
      double* const to = next + column(high) * next_pitch + 8 * e + 2 * t;
      *reinterpret_cast<Pair*>(to) = {{x[e][2 * high], x[e][2 * high + 1]}};
    });
  }
  /// sums += nextᵀ·x; `of_rest(row, column)` is any element of the slice's rows.
  template <class Rest>
  KOKKOS_FUNCTION void multiply(double const* next, [[maybe_unused]] Elements const& x,
                                [[maybe_unused]] Rest const& of_rest, Sums& sums) const
  {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    double const* const at = next + g * next_pitch + 2 * t;
    auto const pair_at = [&](int column, int first) {
      return *reinterpret_cast<Pair const*>(at + column * next_pitch + first);
    };
    unrolled<halves>([&](auto half) {
      unrolled<2>([&](auto e) {
        Pair const low = pair_at(unit * half, 8 * e);
        Pair const high = pair_at(unit * half + 8, 8 * e);
        unrolled<2>([&](auto odd) {
          unrolled<2>([&](auto right) {
            nvidia::add_product(sums[half][right], low.lane[odd], high.lane[odd],
                                x[e][2 * right + odd]);
          });
        });
      });
    });
#else
    each_sum(sums, [&](int left, int right, double& sum) {
      for (int row = 0; row < rows; ++row)
        sum += next[left * next_pitch + row] * of_rest(row, right);
    });
#endif
  }
  /// Calls f(column of the next panel, column of the rest, sum).
  template <class S, class F>
  KOKKOS_FUNCTION void each_sum(S& sums, F const& f) const
  {
    unrolled<halves>([&](auto half) {
      unrolled<2>([&](auto right) {
        unrolled<4>([&](auto e) {
          f(unit * half + e / 2 * 8 + g, unit * unit_index + 8 * right + 2 * t + e % 2,
            sums[half][right][e]);
        });
      });
    });
  }

  int g, t;
  int unit_index; ///< of the rest's columns
  int index;      ///< of the tile's rows
  bool has_work;

private:
  /// Calls f(row, column, e, n) for the lane's elements x[e][n] of a slice and a unit.
  template <class F>
  KOKKOS_FUNCTION void each_element(F const& f) const
  {
    for (int e = 0; e < 2; ++e)
      for (int n = 0; n < 4; ++n)
        f(8 * e + 2 * t + n % 2, n / 2 * 8 + g, e, n);
  }

  int columns_;
};

} // namespace strata::mgs
