#pragma once

#include "blocks.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "tiles/tile_memory.hpp"

// Small matrices of a step over panels: U and its inverse diagonal are the first of
// TileMemory's factors; products, C and coefficients lie in memory as PanelPair{panel, panel
// and rest} has them. A work item has a column. A panel with a rest has panel_width columns.

namespace strata::mgs {

/// C = U⁻ᵀ·C, at first of the products with the rest, by forward substitution; and R's rows:
/// C, or U times what they were.
struct SolveProducts
{
  static constexpr char const* name() { return "strata::mgs::SolveProducts"; }
  PanelStep step;
  double* c;
  TileMemory memory;
  double* r;
  index_t pitch;                  ///< of r's rows
  double const* wanted = nullptr; ///< where it points to 0, nothing is done

  KOKKOS_FUNCTION void operator()(index_t column) const
  {
    if (wanted != nullptr && *wanted == 0)
      return;
    constexpr int width = static_cast<int>(panel_width);
    double* const mine = c + PanelPair::at(0, panel_width + column);
    double* const rows = r + step.panel.first * pitch + step.rest.first + column;
    double x[width];
    unrolled<width>([&](auto j) { x[j] = mine[j * panel_width]; });
    unrolled<width>([&](auto j) {
      double const* const u = memory.factor(0, j);
      x[j] *= memory.inverse(0)[j];
      unrolled<width>([&](auto k) {
        if constexpr (k > j)
          x[k] -= u[k] * x[j];
      });
    });
    // Stores come last: U might alias what they write, and its loads would wait for them.
    unrolled<width>([&](auto j) { mine[j * panel_width] = x[j]; });
    if (!step.again) {
      unrolled<width>([&](auto j) { rows[j * pitch] = x[j]; });
      return;
    }
    unrolled<width>([&](auto j) { x[j] = rows[j * pitch]; });
    unrolled<width>([&](auto j) {
      double const* const u = memory.factor(0, j);
      double sum = 0;
      unrolled<width>([&](auto k) {
        if constexpr (k >= j)
          sum += u[k] * x[k];
      });
      x[j] = sum;
    });
    unrolled<width>([&](auto j) { rows[j * pitch] = x[j]; });
  }
};

/// The coefficients of PanelPass: (U⁻¹, -U⁻¹·C) by back substitution.
struct SolveCoefficients
{
  static constexpr char const* name() { return "strata::mgs::SolveCoefficients"; }
  PanelStep step;
  double const* c;
  TileMemory memory;
  double* coefficients;

  KOKKOS_FUNCTION void operator()(index_t column) const
  {
    constexpr int width = static_cast<int>(panel_width);
    index_t const first = PanelPair::at(0, column);
    double x[width];
    unrolled<width>([&](auto j) {
      double const one = j == column ? 1.0 : 0.0;
      x[j] = column < panel_width ? one : -c[first + j * panel_width];
    });
    unrolled<width>([&](auto from_end) {
      constexpr int k = width - 1 - decltype(from_end)::value;
      x[k] *= memory.inverse(0)[k];
      unrolled<k>([&](auto j) { x[j] -= memory.factor(0, j)[k] * x[k]; });
    });
    unrolled<width>([&](auto k) { coefficients[first + k * panel_width] = x[k]; });
  }
};

/// After SolveProducts of a second sweep: R(panel, rest) += C·R(rest, rest), which is upper
/// triangular. A work item has a row and a column.
struct AddToFactor
{
  static constexpr char const* name() { return "strata::mgs::AddToFactor"; }
  PanelStep step;
  double const* c;
  double* r;
  index_t pitch; ///< of r's rows

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const row = item / step.rest.count;
    index_t const column = item % step.rest.count;
    double const* const above = r + step.rest.first * pitch + step.rest.first + column;
    double sum = 0;
    for (index_t b = 0; b <= column; ++b)
      sum += c[PanelPair::at(row, panel_width + b)] * above[b * pitch];
    r[(step.panel.first + row) * pitch + step.rest.first + column] += sum;
  }
};

} // namespace strata::mgs
