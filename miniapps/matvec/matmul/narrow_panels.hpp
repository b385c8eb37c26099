#pragma once

#include "product_operands.hpp"
#include "tuning.hpp"

#include "array/launch/unroll.hpp"
#include "base/cuda/async_copy.hpp"

#include <cstddef>

// How a product of factors of two bytes on an NVIDIA GPU's tensor cores has its panels in a
// team's scratch memory, and how they get there. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec {

/// Sizes of a team's work, of panels in bytes. Y is contiguous along k (Along) or along j.
template <bool Along>
struct NarrowShape
{
  static constexpr int rows = tuning::narrow_tile_rows; ///< of a tile of C
  static constexpr int columns = tuning::narrow_tile_columns;
  static constexpr int block = tuning::narrow_block;
  static constexpr int depth = tuning::narrow_depth;
  static constexpr int stages = tuning::narrow_stages;
  static constexpr int across = columns / block;
  static constexpr int parts = depth / 16; ///< of a panel, each for one instruction
  static constexpr int members = 32 * (rows / block) * across;

  // A line has vectors of 16 bytes; lines that are read at once differ in the lowest three bits
  // of their numbers, with which those of their vectors are exclusively or-ed, so that they lie
  // in different banks.
  static constexpr int element = 2;
  static constexpr int vector = widest_copy;
  static constexpr int line_of_k = depth * element;
  static constexpr int y_line = Along ? line_of_k : columns * element;
  static constexpr int x_size = rows * line_of_k;
  static constexpr int stage_size = x_size + columns * line_of_k;
  static_assert(line_of_k % (8 * vector) == 0 && y_line % (8 * vector) == 0);
};

#if defined(__CUDA_ARCH__)

/// The panels as one member of a team copies them: the same part of each. Beyond the last row
/// and column it copies these once more: what they give is not stored.
template <class T, bool Along>
class NarrowPanels : NarrowShape<Along>
{
  using Shape = NarrowShape<Along>;
  using Shape::columns, Shape::depth, Shape::line_of_k, Shape::members, Shape::parts,
      Shape::rows, Shape::stage_size, Shape::stages, Shape::vector, Shape::x_size,
      Shape::y_line;

public:
  __device__ NarrowPanels(ProductOperands<T> const& o, index_t row, index_t column, int member,
                          std::byte* memory)
      : k_(member % vectors * lanes)
      , line_(member / vectors)
      , y_line_(member / y_vectors)
      , last_row_(static_cast<int>(o.rows - row) - 1)
      , last_column_(static_cast<int>(o.columns - column) - 1)
      , x_pitch_(o.x_pitch)
      , y_pitch_(o.y_pitch)
      , x_(o.x + row * o.x_pitch + k_)
      , y_(Along ? o.y + column * o.y_pitch + k_
                 : o.y + column + least(member % y_vectors, last_column_ / lanes) * lanes)
      , x_to_(memory + line_ * line_of_k + place(member % vectors, line_))
      , y_to_(memory + x_size + y_line_ * y_line + place(member % y_vectors, y_line_))
      , depth_(o.depth)
  {
  }
  /// Starts copying one of the parts of the next panels where they are `there`: all at once
  /// would keep the tensor cores waiting.
  template <int Part>
  __device__ void fetch(bool there, int stage)
  {
    std::byte* const to = x_to_ + stage * stage_size;
    std::byte* const y_to = y_to_ + stage * stage_size;
    unrolled<x_copies / parts>([&](auto n) {
      constexpr int copy = Part * (x_copies / parts) + decltype(n)::value;
      nvidia::copy_async_if(there, to + copy * x_lines * line_of_k, x_row(copy));
    });
    unrolled<y_copies / parts>([&](auto n) {
      constexpr int copy = Part * (y_copies / parts) + decltype(n)::value;
      nvidia::copy_async_if(there, y_to + copy * y_lines * y_line, y_row(copy));
    });
    if constexpr (Part == parts - 1)
      nvidia::end_copies();
  }
  __device__ void advance()
  {
    x_ += depth;
    y_ += Along ? depth : depth * y_pitch_;
  }
  /// Copies what is left of k when `whole` panels are multiplied, with zeros behind it.
  __device__ void fetch_rest(int whole, int stage)
  {
    int const k_left = static_cast<int>(depth_ - static_cast<index_t>(whole) * depth);
    x_ -= (stages - 1) * depth; // where advance() has gone too far
    y_ -= (stages - 1) * (Along ? depth : depth * y_pitch_);
    std::byte* const to = x_to_ + stage * stage_size;
    std::byte* const y_to = y_to_ + stage * stage_size;
    int const bytes = bytes_of(k_left - k_);
    unrolled<x_copies>([&](auto n) {
      nvidia::copy_async<vector>(to + n * x_lines * line_of_k, x_row(n), bytes);
    });
    unrolled<y_copies>([&](auto n) {
      bool const there = Along || y_line_ + n * y_lines < k_left;
      nvidia::copy_async<vector>(y_to + n * y_lines * y_line, y_row(n),
                                 !there  ? 0
                                 : Along ? bytes
                                         : vector);
    });
    nvidia::end_copies();
  }

private:
  static constexpr int lanes = vector / static_cast<int>(sizeof(T));
  static constexpr int vectors = line_of_k / vector; ///< of a line
  static constexpr int y_vectors = y_line / vector;
  static constexpr int x_lines = members / vectors; ///< that the members copy at once
  static constexpr int y_lines = members / y_vectors;
  static constexpr int x_copies = rows / x_lines;
  static constexpr int y_copies = (Along ? columns : depth) / y_lines;
  static_assert(x_lines % 8 == 0 && y_lines % 8 == 0,
                "the lines of a member have their vectors in one order");
  static_assert(x_copies % parts == 0 && y_copies % parts == 0);

  static __device__ int place(int v, int line) { return (v ^ (line & 7)) * vector; }
  static __device__ int least(int a, int b) { return a < b ? a : b; }
  static __device__ int bytes_of(int there)
  {
    return (there < 0 ? 0 : least(there, lanes)) * static_cast<int>(sizeof(T));
  }
  __device__ T const* x_row(int copy) const
  {
    return x_ + least(line_ + copy * x_lines, last_row_) * x_pitch_;
  }
  __device__ T const* y_row(int copy) const
  {
    int const line = y_line_ + copy * y_lines;
    return y_ + (Along ? least(line, last_column_) : line) * y_pitch_;
  }

  int k_, line_, y_line_, last_row_, last_column_;
  index_t x_pitch_, y_pitch_;
  T const* x_;
  T const* y_;
  std::byte* x_to_;
  std::byte* y_to_;
  index_t depth_;
};

#endif

} // namespace strata::matvec

#endif
