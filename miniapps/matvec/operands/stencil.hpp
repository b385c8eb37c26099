#pragma once

#include "values.hpp"

#include <algorithm>
#include <cstdint>

namespace strata::matvec {

/// The points of a square or cubic grid and their neighbours, the point itself included: 5 in
/// two dimensions (a cross), 27 in three (a cube), fewer at the border.
struct Stencil
{
  int dims = 3;
  index_t edge = 1;

  static constexpr int most_neighbours(int dims) { return dims == 2 ? 5 : 27; }

  [[nodiscard]] KOKKOS_FUNCTION index_t points() const
  {
    return dims == 2 ? edge * edge : edge * edge * edge;
  }

  /// The largest difference of the numbers of two neighbours.
  [[nodiscard]] index_t reach() const { return dims == 2 ? edge : (edge + 1) * edge + 1; }
  /// Number of points that are neighbours of [first, first + count), which must be at least a
  /// line of the grid (two dimensions) or a plane (three).
  [[nodiscard]] index_t reached(index_t first, index_t count) const
  {
    return std::min(points(), first + count + reach()) - std::max<index_t>(0, first - reach());
  }

  /// Calls f(neighbour) in ascending order.
  template <class F>
  KOKKOS_FUNCTION void neighbours(index_t point, F const& f) const
  {
    index_t const i = point % edge;
    index_t const j = point / edge % edge;
    index_t const k = point / (edge * edge);
    int const reach = dims == 3 ? 1 : 0;
    for (int dk = -reach; dk <= reach; ++dk)
      for (int dj = -1; dj <= 1; ++dj)
        for (int di = -1; di <= 1; ++di) {
          bool const in_stencil = dims == 3 || di == 0 || dj == 0;
          if (in_stencil && inside(i + di) && inside(j + dj) && inside(k + dk))
            f(point + di + edge * (dj + edge * dk));
        }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool inside(index_t at) const { return at >= 0 && at < edge; }
};

/// The lines of a rank's part of the stencil's matrix, with elements from Values: its rows
/// (CSR), or the part of every column in these rows (CSC).
template <bool Rows>
struct StencilLines
{
  Stencil stencil;
  Values values;
  index_t first; ///< this rank's first row
  index_t rows;  ///< and their number

  KOKKOS_FUNCTION index_t count(index_t line) const
  {
    index_t found = 0;
    each(line, [&](index_t, index_t) { ++found; });
    return found;
  }
  template <class Place>
  KOKKOS_FUNCTION void fill(index_t line, Place* places, double* elements) const
  {
    index_t entry = 0;
    each(line, [&](index_t row, index_t col) {
      places[entry] = static_cast<Place>(Rows ? col : row - first);
      elements[entry] = values.matrix(row, col);
      ++entry;
    });
  }

private:
  template <class F>
  KOKKOS_FUNCTION void each(index_t line, F const& f) const
  {
    if constexpr (Rows)
      stencil.neighbours(first + line, [&](index_t col) { f(first + line, col); });
    else
      stencil.neighbours(line, [&](index_t row) {
        if (row >= first && row < first + rows)
          f(row, line);
      });
  }
};

} // namespace strata::matvec
