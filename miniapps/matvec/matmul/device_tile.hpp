#pragma once

#include "tuning.hpp"

#include "array/span/span.hpp"

#include <cstddef>
#include <type_traits>

namespace strata::matvec {

/// C = A B by one team of a GPU per tile of C: panels of A and B in scratch memory, a block
/// of C in each member's registers.
template <class Left, class Right, class Output>
struct DeviceTile
{
  static constexpr char const* name() { return "strata::matvec::DeviceTile"; }
  using T = typename Output::value_type;
  static constexpr int edge = tuning::gpu_tile(sizeof(T));
  static constexpr int depth = tuning::gpu_depth;
  static constexpr int block = tuning::gpu_block(sizeof(T));
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
          return inside(i0 + line, C.extent(0), k0 + k) ? static_cast<T>(A(i0 + line, k0 + k))
                                                        : T{};
        });
        load<Right, 0>(right, at, [&](int line, int k) {
          return inside(j0 + line, C.extent(1), k0 + k) ? static_cast<T>(B(k0 + k, j0 + line))
                                                        : T{};
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
