#pragma once

#include "tiles.hpp"

#include "array/access/pack.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <type_traits>

namespace strata::mgs {

/// Columns of a tile of rows in the cache of a host's thread, with rows grouped in packs for
/// every layout, so that all arithmetic is vectorised: column c is packs [c packs, (c + 1)
/// packs).
template <class A>
class PackTile
{
public:
  static constexpr int rows = 64; ///< of a tile
  /// Rows of a pack: one vector register, or two of those of two doubles.
  static constexpr int lanes = std::max(pack_width<double, Host>, 4);
  static constexpr int packs = rows / lanes;
  /// Products of a block of so many columns by as many stay in registers.
  static constexpr int block = 4;
  using V = Pack<double, lanes>;

  static index_t tiles_of(index_t row_count) { return (row_count + rows - 1) / rows; }
  /// Threads that share so many rows.
  static index_t threads_for(index_t row_count)
  {
    return std::max<index_t>(1, std::min<index_t>(tiles_of(row_count), Device().concurrency()));
  }
  /// First tile of a thread's share; of the thread after the last one, the number of tiles.
  static index_t first_tile(index_t row_count, index_t thread, index_t threads)
  {
    return tiles_of(row_count) * thread / threads;
  }
  static double& element(V& pack, int lane) { return reinterpret_cast<double*>(&pack)[lane]; }

  /// Rows from `first` of a's columns; 0 past the last row.
  static void load(A const& a, index_t row_count, index_t first, ColumnRange const& columns,
                   V* tile)
  {
    int const count = static_cast<int>(columns.count);
    if constexpr (rows_are_together)
      if (first + rows <= row_count) {
        for (int column = 0; column < count; ++column)
          for (int p = 0; p < packs; ++p)
            tile[column * packs + p] =
                a(PackIndex<lanes>{first + p * lanes}, columns.first + column);
        return;
      }
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < count; ++column) {
        double const value =
            first + row < row_count ? a(first + row, columns.first + column) : 0.0;
        element(tile[column * packs + row / lanes], row % lanes) = value;
      }
  }
  static void store(A const& a, index_t row_count, index_t first, ColumnRange const& columns,
                    V* tile)
  {
    int const count = static_cast<int>(columns.count);
    if constexpr (rows_are_together)
      if (first + rows <= row_count) {
        for (int column = 0; column < count; ++column)
          for (int p = 0; p < packs; ++p)
            a(PackIndex<lanes>{first + p * lanes}, columns.first + column) =
                tile[column * packs + p];
        return;
      }
    for (int row = 0; row < rows && first + row < row_count; ++row)
      for (int column = 0; column < count; ++column)
        a(first + row, columns.first + column) =
            element(tile[column * packs + row / lanes], row % lanes);
  }

  // A pass is slower by calls of these, and of itself GCC inlines them into some kernels only.

  /// target -= Σ columns(b) by[b pitch] over the first `count` columns b, then times `scale`.
  [[gnu::always_inline]] static void eliminate(V* target, V const* columns, int count,
                                               double const* by, index_t pitch, double scale)
  {
    for (int first = 0; first < packs; first += strip) {
      V value[strip];
      for (int s = 0; s < strip; ++s)
        value[s] = target[first + s];
      for (int b = 0; b < count; ++b) {
        V const times(by[b * pitch]);
        for (int s = 0; s < strip; ++s)
          value[s] = value[s] - times * columns[b * packs + first + s];
      }
      for (int s = 0; s < strip; ++s)
        target[first + s] = value[s] * V(scale);
    }
  }

  /// to += products of the columns x and y, a pack for each.
  [[gnu::always_inline]] static void multiply(V const* const (&x)[block],
                                              V const* const (&y)[block], V* to)
  {
    V sum[block][block];
    for (int n = 0; n < block * block; ++n)
      sum[n / block][n % block] = V(0.0);
    for (int p = 0; p < packs; ++p)
      for (int n = 0; n < block; ++n)
        for (int m = 0; m < block; ++m)
          sum[n][m] += x[n][p] * y[m][p];
    for (int n = 0; n < block * block; ++n)
      to[n] += sum[n / block][n % block];
  }

private:
  /// Packs on which a column's operations are done together: independent chains, which hide
  /// each other's latency.
  static constexpr int strip = 8;
  static constexpr bool rows_are_together =
      !std::is_same_v<typename A::layout_type, LayoutRight>;
};

} // namespace strata::mgs
