#pragma once

#include "tuning.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "array/layout/symmetric.hpp"

#include <cmath>
#include <type_traits>

namespace strata::matvec {

/// The rows from `first` on of a packed lower triangle, with the indices of the whole matrix.
template <class T>
struct PackedRows
{
  using value_type = std::remove_const_t<T>;
  using Stored = Span<T, Dynamic<1>, LayoutRight, AccessReadOnly>;
  using Mapping = LayoutSymmetric<>::mapping<Dynamic<2>>;
  Stored stored; ///< this rank's elements
  Mapping mapping;
  index_t first = 0;
  index_t end = 0;

  KOKKOS_FUNCTION decltype(auto) operator()(index_t i, index_t j) const
  {
    return stored(mapping(i, j) - mapping(first, index_t{0}));
  }
  /// Neighbouring elements of one row, all left of the diagonal.
  template <int W>
  KOKKOS_FUNCTION decltype(auto) operator()(index_t i, PackIndex<W> j) const
  {
    return stored(PackIndex<W>{begin(i) + j.first});
  }
  /// Position of a row's first element in `stored`.
  [[nodiscard]] KOKKOS_FUNCTION index_t begin(index_t i) const
  {
    return mapping(i, index_t{0}) - mapping(first, index_t{0});
  }
};

/// First row of part number `part`, where rows [first, end) of a triangle are divided into
/// `parts` equal areas.
KOKKOS_FUNCTION inline index_t equal_area(index_t first, index_t end, index_t part,
                                          index_t parts)
{
  if (part >= parts)
    return end;
  double const from = static_cast<double>(first) * static_cast<double>(first);
  double const to = static_cast<double>(end) * static_cast<double>(end);
  auto const row = static_cast<index_t>(
      std::sqrt(from + (to - from) * static_cast<double>(part) / static_cast<double>(parts)));
  return row < first ? first : row > end ? end : row;
}

/// Host: each thread takes rows of equal area and computes partial sums, partial(i, part).
/// Every stored element is loaded once and used for both its positions. R rows at a time share
/// the loads of x and of the sums.
template <class Matrix, class Input, class Partial, int W, int R>
struct SymmetricRows
{
  static constexpr char const* name() { return "strata::matvec::SymmetricRows"; }
  Matrix A;
  Input x;
  Partial partial;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const part = team.index();
    index_t const parts = partial.extent(1);
    index_t const end = equal_area(A.first, A.end, part + 1, parts);
    for (index_t i = 0; i < partial.extent(0); ++i)
      partial(i, part) = 0;
    index_t row = equal_area(A.first, A.end, part, parts);
    for (; row + R <= end; row += R)
      rows<R>(row, part);
    for (; row < end; ++row)
      rows<1>(row, part);
  }

private:
  using T = typename Matrix::value_type;
  using V = Pack<T, W>;

  template <int N>
  KOKKOS_FUNCTION void rows(index_t first, index_t part) const
  {
    V sum[N];
    V factor[N];
    index_t row[N];
    unrolled<N>([&](auto n) {
      row[n] = A.begin(first + n);
      sum[n] = V(T{});
      factor[n] = V(x(first + n));
    });
    index_t j = 0;
    for (; j + W <= first; j += W) {
      V const input = x(PackIndex<W>{j});
      V mirrored = partial(PackIndex<W>{j}, part);
      unrolled<N>([&](auto n) {
        V const a = A.stored(PackIndex<W>{row[n] + j});
        sum[n] += a * input;
        mirrored += a * factor[n];
      });
      partial(PackIndex<W>{j}, part) = mirrored;
    }
    unrolled<N>([&](auto n) { end_row(first + n, j, lane_sum(sum[n]), part); });
  }
  /// The elements of row i from column `begin` to the diagonal, one by one.
  KOKKOS_FUNCTION void end_row(index_t i, index_t begin, T sum, index_t part) const
  {
    T const factor = x(i);
    for (index_t k = begin; k < i; ++k) {
      T const a = A(i, k);
      sum += a * x(k);
      partial(k, part) += a * factor;
    }
    partial(i, part) += sum + A(i, i) * factor;
  }
};

/// The lower triangle of a symmetric matrix in tiles of Edge rows and Pieces · Edge columns.
/// Tiles are numbered along rows of tiles, each of which ends with the tile on the diagonal.
template <index_t Edge, index_t Pieces>
struct TriangleTiles
{
  index_t row; ///< first of the tile
  index_t col;

  /// Tiles before those of the tile row `down`.
  static KOKKOS_FUNCTION index_t before(index_t down)
  {
    index_t const across = down / Pieces; // tile row `down` has one tile more than that
    return Pieces * across * (across + 1) / 2 + down % Pieces * (across + 1);
  }
  static KOKKOS_FUNCTION TriangleTiles numbered(index_t tile)
  {
    auto across = static_cast<index_t>(
        (std::sqrt(1 + 8 * static_cast<double>(tile) / static_cast<double>(Pieces)) - 1) / 2);
    while (across > 0 && before(across * Pieces) > tile)
      --across;
    while (before((across + 1) * Pieces) <= tile)
      ++across;
    index_t const rest = tile - before(across * Pieces);
    return {(across * Pieces + rest / (across + 1)) * Edge,
            rest % (across + 1) * Pieces * Edge};
  }
};

/// GPU: a team takes a tile of the triangle. Its groups of 32 work items take R rows each and
/// go over the tile's columns together. Partial sums of rows stay in registers; those of
/// columns are added over the groups in scratch memory. Both are then added atomically to y,
/// which starts at zero: the order, and so the last digits, vary from run to run. A tile has
/// the rows of all Members / 32 groups, and Pieces times as many columns.
template <class Matrix, class Input, class Output, int R, int Members, int Pieces>
class SymmetricTiles
{
  static constexpr int group = 32; ///< work items with contiguous loads of a row
  static constexpr int groups = Members / group;
  static constexpr int edge = groups * R;
  static constexpr int strip = 4 * group; ///< columns between barriers
  static constexpr int tile_cols = edge * Pieces;
  using Tiles = TriangleTiles<edge, Pieces>;
  using T = typename Matrix::value_type;
  static_assert(tile_cols % strip == 0 && edge * group <= 2 * groups * strip);

public:
  static constexpr char const* name() { return "strata::matvec::SymmetricTiles"; }
  static constexpr unsigned teams_at_once = 1024 / Members;
  static constexpr std::size_t scratch_bytes = sizeof(T) * (2 * groups * strip + edge);

  SymmetricTiles(Matrix const& matrix, Input const& x, Output const& y)
      : matrix_(matrix)
      , x_(x)
      , y_(y)
      , first_tile_(Tiles::before(matrix.first / edge))
  {
  }
  [[nodiscard]] index_t teams() const
  {
    return matrix_.end > matrix_.first
               ? Tiles::before((matrix_.end - 1) / edge + 1) - first_tile_
               : 0;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    // 32-bit row numbers suffice for a matrix that fits in memory, and save registers.
    auto const tile = Tiles::numbered(first_tile_ + team.index());
    int const row = static_cast<int>(tile.row);
    int const end =
        static_cast<int>(tile.row + edge < matrix_.end ? tile.row + edge : matrix_.end);
    int const last = static_cast<int>(tile.col) + tile_cols;
    int const mine = team.rank() / group;
    int const lane = team.rank() % group;
    int const first = row + mine * R;
    bool const whole = has_row(first) && has_row(first + R - 1);
    index_t const place = matrix_.begin(first);

    auto* const met = static_cast<T*>(team.scratch()); // [2][groups][strip]
    T* const factors = met + 2 * groups * strip;
    for (int r = team.rank(); r < edge; r += Team::size)
      factors[r] = has_row(row + r) ? x_(row + r) : T{};
    team.barrier();

    T sums[R] = {};
    int turn = 0;
    for (int begin = static_cast<int>(tile.col); begin < last && begin < end;
         begin += strip, turn ^= 1) {
      T* const here = met + turn * groups * strip;
      for (int n = 0; n < strip / group; ++n) {
        int const c = n * group + lane;
        here[mine * strip + c] = add(sums, factors + mine * R, place, first, begin + c, whole);
      }
      team.barrier();
      for (int c = team.rank(); c < strip; c += Team::size) {
        T sum{};
        for (int g = 0; g < groups; ++g)
          sum += here[g * strip + c];
        if (begin + c < end)
          y_(begin + c) += sum;
      }
    }
    team.barrier();
    add_rows(team, met, sums, row);
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool has_row(index_t row) const
  {
    return row >= matrix_.first && row < matrix_.end;
  }
  /// The elements of one column in the R rows from `first` on, stored from `place` on: adds to
  /// the rows' sums and returns the column's partial sum. Whole: this rank has all R rows.
  KOKKOS_FUNCTION T add(T (&sums)[R], T const* factors, index_t place, int first, int col,
                        bool whole) const
  {
    index_t const begin = place + col;
    auto const at = [&](auto r) { // each row is one longer than the one before it
      return matrix_.stored(begin + static_cast<index_t>(r) * first + r * (r + 1) / 2);
    };
    T mirrored{};
    if (whole && col < first) {
      T a[R];
      unrolled<R>([&](auto r) { a[r] = at(r); });
      T const input = x_(col);
      unrolled<R>([&](auto r) {
        sums[r] += a[r] * input;
        mirrored += a[r] * factors[r];
      });
    } else if (int const diagonal = col - first; diagonal < R) {
      T const input = col < matrix_.end ? x_(col) : T{};
      unrolled<R>([&](auto r) {
        if (r >= diagonal && has_row(first + r)) {
          T const one = at(r);
          sums[r] += one * input;
          if (r > diagonal)
            mirrored += one * factors[r];
        }
      });
    }
    return mirrored;
  }
  /// Adds the work items' partial sums of rows in `met`. Each row's sum starts at another work
  /// item's value, so that the work items that add use different banks.
  template <class Team>
  KOKKOS_FUNCTION void add_rows(Team const& team, T* met, T const (&sums)[R], int first) const
  {
    int const row = team.rank() / group * R;
    unrolled<R>([&](auto r) { met[(row + r) * group + team.rank() % group] = sums[r]; });
    team.barrier();
    for (int r = team.rank(); r < edge; r += Team::size) {
      T sum{};
      for (int k = 0; k < group; ++k)
        sum += met[r * group + (r + k) % group];
      if (has_row(first + r))
        y_(first + r) += sum;
    }
  }

  Matrix matrix_;
  Input x_;
  Output y_; ///< atomic
  index_t first_tile_;
};

} // namespace strata::matvec
