#pragma once

#include "tuning.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "array/span/span.hpp"

#include <algorithm>
#include <type_traits>

namespace strata::matvec {

/// C(i, j) = Σ_k A(i, k) B(k, j), the inner product of S5 Fig 16: one work item per element; a
/// host's thread computes row by row.
template <class Left, class Right, class Output>
struct PlainProduct
{
  static constexpr char const* name() { return "strata::matvec::PlainProduct"; }
  Left A;
  Right B;
  Output C;

  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const
  {
    typename Output::value_type sum{};
    for (index_t k = 0; k < A.extent(1); ++k)
      sum += A(i, k) * B(k, j);
    C(i, j) = sum;
  }
};

/// The same by one host thread per tile of C: panels of A and B are packed in the order in
/// which the micro-kernel reads them; a block of C stays in vector registers.
template <class Left, class Right, class Output>
struct HostTile
{
  static constexpr char const* name() { return "strata::matvec::HostTile"; }
  using T = typename Output::value_type;
  static constexpr int lanes = register_bytes / static_cast<int>(sizeof(T));
  static constexpr int R = tuning::micro_rows;
  static constexpr int P = tuning::micro_packs;
  static constexpr int N = P * lanes;
  static constexpr int depth = tuning::tile_depth;
  static_assert(tuning::tile_rows % R == 0 && tuning::tile_cols % N == 0);
  static constexpr std::size_t left_size = std::size_t{tuning::tile_rows} * depth;
  static constexpr std::size_t right_size = std::size_t{tuning::tile_cols} * depth;
  static constexpr std::size_t scratch_bytes = (left_size + right_size) * sizeof(T);

  Left A;
  Right B;
  Output C;

  [[nodiscard]] index_t tiles_across() const
  {
    return (C.extent(1) + tuning::tile_cols - 1) / tuning::tile_cols;
  }
  [[nodiscard]] index_t tiles() const
  {
    return (C.extent(0) + tuning::tile_rows - 1) / tuning::tile_rows * tiles_across();
  }

  template <class Team>
  void operator()(Team const& team) const
  {
    auto* const left = static_cast<T*>(team.scratch());
    auto* const right = left + left_size;
    index_t const i0 = team.index() / tiles_across() * tuning::tile_rows;
    index_t const j0 = team.index() % tiles_across() * tuning::tile_cols;
    int const rows = static_cast<int>(std::min<index_t>(tuning::tile_rows, C.extent(0) - i0));
    int const cols = static_cast<int>(std::min<index_t>(tuning::tile_cols, C.extent(1) - j0));
    for (index_t k0 = 0; k0 < A.extent(1); k0 += depth) {
      int const length = static_cast<int>(std::min<index_t>(depth, A.extent(1) - k0));
      // panel(block, k, lane): blocks of R rows and of N columns, padded with zeros
      pack<R>(
          left, rows, length, [&](int r, int k) { return A(i0 + r, k0 + k); },
          fastest_of<Left> == 1);
      pack<N>(
          right, cols, length, [&](int c, int k) { return B(k0 + k, j0 + c); },
          fastest_of<Right> == 0);
      for (int c = 0; c < cols; c += N)
        for (int r = 0; r < rows; r += R)
          micro(left + r * length, right + c * length, length, i0 + r, std::min(R, rows - r),
                j0 + c, std::min(N, cols - c), k0 == 0);
    }
  }

private:
  using V = Pack<T, lanes>;
  template <class Matrix>
  static constexpr int fastest_of =
      std::is_same_v<typename Matrix::layout_type, LayoutRight> ? 1 : 0;

  /// to[(line / Width)·length·Width + k·Width + line % Width] = from(line, k), read in the
  /// order of memory.
  template <int Width, class From>
  static void pack(T* to, int lines, int length, From const& from, bool along)
  {
    for (int first = 0; first < lines; first += Width) {
      int const there = std::min(Width, lines - first);
      T* const panel = to + first * length;
      if (there < Width)
        std::fill_n(panel, Width * length, T{});
      if (along)
        for (int line = 0; line < there; ++line)
          for (int k = 0; k < length; ++k)
            panel[k * Width + line] = from(first + line, k);
      else
        for (int k = 0; k < length; ++k)
          for (int line = 0; line < there; ++line)
            panel[k * Width + line] = from(first + line, k);
    }
  }

  void micro(T const* left, T const* right, int length, index_t i, int rows, index_t j,
             int cols, bool first) const
  {
    V sum[R][P];
    unrolled<R>([&](auto r) { unrolled<P>([&](auto p) { sum[r][p] = V(T{}); }); });
    for (int k = 0; k < length; ++k, left += R, right += N) {
      V b[P];
      unrolled<P>([&](auto p) { b[p] = detail::load_pack<lanes>(right + p * lanes); });
      unrolled<R>([&](auto r) {
        V const a(left[r]);
        unrolled<P>([&](auto p) { sum[r][p] += a * b[p]; });
      });
    }
    T block[R * N];
    unrolled<R>([&](auto r) {
      unrolled<P>([&](auto p) { detail::store_pack(block + r * N + p * lanes, sum[r][p]); });
    });
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        T const s = block[r * N + c];
        C(i + r, j + c) = first ? s : C(i + r, j + c) + s;
      }
  }
};

/// The same by one team of a GPU per tile of C: panels of A and B in scratch memory, a block
/// of C in each member's registers.
template <class Left, class Right, class Output>
struct DeviceTile
{
  static constexpr char const* name() { return "strata::matvec::DeviceTile"; }
  using T = typename Output::value_type;
  static constexpr int edge = tuning::gpu_tile;
  static constexpr int depth = tuning::gpu_depth;
  static constexpr int block = tuning::gpu_block;
  static constexpr int side = edge / block;
  static constexpr int members = side * side;
  static constexpr std::size_t scratch_bytes = std::size_t{2} * edge * depth * sizeof(T);

  Left A;
  Right B;
  Output C;

  [[nodiscard]] KOKKOS_FUNCTION index_t tiles_across() const
  {
    return (C.extent(1) + edge - 1) / edge;
  }
  [[nodiscard]] index_t tiles() const
  {
    return (C.extent(0) + edge - 1) / edge * tiles_across();
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto* const left = static_cast<T*>(team.scratch()); // (k, row)
    auto* const right = left + edge * depth;            // (k, column)
    index_t const i0 = team.index() / tiles_across() * edge;
    index_t const j0 = team.index() % tiles_across() * edge;
    int const row = team.rank() / side;
    int const col = team.rank() % side;
    T sum[block][block] = {};
    for (index_t k0 = 0; k0 < A.extent(1); k0 += depth) {
      for (int at = team.rank(); at < edge * depth; at += Team::size) {
        load<Left, 1>(left, at, [&](int line, int k) {
          return inside(i0 + line, C.extent(0), k0 + k) ? A(i0 + line, k0 + k) : T{};
        });
        load<Right, 0>(right, at, [&](int line, int k) {
          return inside(j0 + line, C.extent(1), k0 + k) ? B(k0 + k, j0 + line) : T{};
        });
      }
      team.barrier();
      for (int k = 0; k < depth; ++k) {
        T a[block];
        T b[block];
        for (int n = 0; n < block; ++n) {
          a[n] = left[k * edge + row + n * side];
          b[n] = right[k * edge + col + n * side];
        }
        for (int m = 0; m < block; ++m)
          for (int n = 0; n < block; ++n)
            sum[m][n] += a[m] * b[n];
      }
      team.barrier();
    }
    for (int m = 0; m < block; ++m)
      for (int n = 0; n < block; ++n) {
        index_t const i = i0 + row + m * side;
        index_t const j = j0 + col + n * side;
        if (i < C.extent(0) && j < C.extent(1))
          C(i, j) = sum[m][n];
      }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool inside(index_t line, index_t lines, index_t k) const
  {
    return line < lines && k < A.extent(1);
  }
  /// Copies one element of a panel; neighbouring members copy neighbours in memory. Along is
  /// the matrix' index for k.
  template <class Matrix, int Along, class From>
  static KOKKOS_FUNCTION void load(T* panel, int at, From const& from)
  {
    constexpr bool right = std::is_same_v<typename Matrix::layout_type, LayoutRight>;
    constexpr bool k_fastest = right == (Along == 1);
    int const k = k_fastest ? at % depth : at / edge;
    int const line = k_fastest ? at / depth : at % edge;
    panel[k * edge + line] = from(line, k);
  }
};

} // namespace strata::matvec
