#pragma once

#include "async_copy.hpp"
#include "product_operands.hpp"
#include "tile_order.hpp"
#include "tuning.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

// C = A B of factors of two bytes, in floats, on the tensor cores of an NVIDIA GPU. Empty
// without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec {

/// A team computes a tile of C. Panels of X and Y travel to its scratch memory several steps
/// ahead; each warp multiplies a block of them, with its part of C in registers. Y is
/// contiguous along k (Along) or along j. All lines begin on 16 bytes.
template <class T, bool Along>
class NarrowTensorProduct
{
public:
  static constexpr char const* name() { return "strata::matvec::NarrowTensorProduct"; }

private:
  static constexpr int rows = tuning::narrow_tile_rows;
  static constexpr int columns = tuning::narrow_tile_columns;
  static constexpr int block = tuning::narrow_block;
  static constexpr int depth = tuning::narrow_depth;
  static constexpr int stages = tuning::narrow_stages;
  static constexpr int across = columns / block;
  static constexpr int parts = depth / 16; ///< of a panel, each for one instruction
  static_assert(is_narrow<T> && sizeof(T) == 2);

public:
  static constexpr int members = 32 * (rows / block) * across;
  static constexpr unsigned teams_at_once = 1;
  static constexpr int compute_capability = 80;

private:
  // All in bytes. A line has vectors of 16 bytes; lines that are read at once differ in the
  // lowest three bits of their numbers, with which those of their vectors are exclusively
  // or-ed, so that they lie in different banks.
  static constexpr int vector = 16;
  static constexpr int line_of_k = depth * static_cast<int>(sizeof(T));
  static constexpr int y_line = Along ? line_of_k : columns * static_cast<int>(sizeof(T));
  static constexpr int x_size = rows * line_of_k;
  static constexpr int stage_size = x_size + columns * line_of_k;
  static_assert(line_of_k % (8 * vector) == 0 && y_line % (8 * vector) == 0);

public:
  static constexpr std::size_t scratch_bytes = std::size_t{stages} * stage_size;

  explicit NarrowTensorProduct(ProductOperands<T> const& operands)
      : o_(operands)
  {
  }
  [[nodiscard]] index_t tiles() const { return order().count(); }

  template <class Team>
  KOKKOS_FUNCTION void operator()([[maybe_unused]] Team const& team) const
  {
#if defined(__CUDA_ARCH__)
    auto const at = order()(team.index());
    auto* const memory = static_cast<std::byte*>(team.scratch());
    Panels panels(o_, at.row * rows, at.column * columns, team.rank(), memory);
    Block of_warp(team.rank(), memory);
    int const whole = static_cast<int>(o_.depth / depth);
    unrolled<stages - 1>([&](auto s) {
      unrolled<parts>([&](auto part) { panels.template fetch<part.value>(s < whole, s); });
      panels.advance();
    });
    await_copies<stages - 2>();
    team.barrier();
    of_warp.load(0, Number<0>());
    for (int step = 0, stage = 0; step < whole; ++step) {
      int const last = stage == 0 ? stages - 1 : stage - 1;
      int const next = stage == stages - 1 ? 0 : stage + 1;
      bool const there = step + stages - 1 < whole;
      unrolled<parts - 1>([&](auto part) {
        of_warp.load(stage, Number<part.value + 1>());
        panels.template fetch<part.value>(there, last);
        of_warp.multiply(part);
      });
      panels.template fetch<parts - 1>(there, last);
      panels.advance();
      await_copies<stages - 2>();
      team.barrier(); // all have the next stage, and all have read this one
      of_warp.load(next, Number<0>());
      of_warp.multiply(Number<parts - 1>());
      stage = next;
    }
    if (whole * depth < o_.depth) {
      await_copies<0>();
      team.barrier();
      panels.fetch_rest(whole, 0);
      await_copies<0>();
      team.barrier();
      unrolled<parts>([&](auto part) {
        of_warp.load(0, part);
        of_warp.multiply(part);
      });
    }
    of_warp.store(o_, at.row * rows, at.column * columns);
#endif
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION TileOrder order() const
  {
    return {(o_.rows + rows - 1) / rows, (o_.columns + columns - 1) / columns,
            tuning::narrow_band};
  }

#if defined(__CUDA_ARCH__)

  /// The panels as one member copies them: the same part of each. Beyond the last row and
  /// column it copies these once more: what they give is not stored.
  class Panels
  {
  public:
    __device__ Panels(ProductOperands<T> const& o, index_t row, index_t column, int member,
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
        copy_async_if(there, to + copy * x_lines * line_of_k, x_row(copy));
      });
      unrolled<y_copies / parts>([&](auto n) {
        constexpr int copy = Part * (y_copies / parts) + decltype(n)::value;
        copy_async_if(there, y_to + copy * y_lines * y_line, y_row(copy));
      });
      if constexpr (Part == parts - 1)
        end_copies();
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
      unrolled<x_copies>(
          [&](auto n) { copy_async<vector>(to + n * x_lines * line_of_k, x_row(n), bytes); });
      unrolled<y_copies>([&](auto n) {
        bool const there = Along || y_line_ + n * y_lines < k_left;
        copy_async<vector>(y_to + n * y_lines * y_line, y_row(n),
                           !there  ? 0
                           : Along ? bytes
                                   : vector);
      });
      end_copies();
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

  /// A warp's block of C. Of X a lane loads, four times, 16 rows by 16 numbers k; of Y 16
  /// columns by as many.
  class Block
  {
  public:
    __device__ Block(int member, std::byte const* memory)
        : row_(member / 32 / across * block)
        , column_(member / 32 % across * block)
        , lane_(member % 32)
        , memory_(static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)))
        , x_((row_ + lane_ % 16) * line_of_k + (lane_ / 16 ^ (lane_ & 7)) * vector)
        , y_(x_size + (Along ? (column_ + (lane_ & 7) + lane_ / 16 * 8) * y_line +
                                   (lane_ / 8 % 2 ^ (lane_ & 7)) * vector
                             : lane_ % 16 * y_line + column_ * static_cast<int>(sizeof(T)) +
                                   (lane_ / 16 ^ (lane_ & 7)) * vector))
    {
    }
    /// Loads the numbers K of a stage, 16 of them.
    template <int K>
    __device__ void load(int stage, Number<K> /*k*/)
    {
      std::uint32_t const from = memory_ + stage * stage_size;
      std::uint32_t const x_from = from + (x_ ^ K * 2 * vector);
      unrolled<block / 16>([&](auto m) {
        cuda::load_matrices<false>(x_part_[K % 2][m], x_from + m * 16 * line_of_k);
      });
      unrolled<block / 16>([&](auto n) {
        int const y_from = Along ? (y_ ^ K * 2 * vector) + n * 16 * y_line
                                 : (y_ ^ n * 2 * vector) + K * 16 * y_line;
        cuda::load_matrices<!Along>(y_part_[K % 2][n], from + y_from);
      });
    }
    /// Adds the products of those that were loaded as K.
    template <int K>
    __device__ void multiply(Number<K> /*k*/)
    {
      unrolled<block / 16>([&](auto m) {
        unrolled<block / 8>([&](auto n) {
          auto const& pair = y_part_[K % 2][n / 2];
          std::uint32_t const y[2] = {pair[n % 2 * 2], pair[n % 2 * 2 + 1]};
          if constexpr (std::is_same_v<T, float16>)
            cuda::add_product_of_halves(sum_[m][n], x_part_[K % 2][m], y);
          else
            cuda::add_product_of_bfloats(sum_[m][n], x_part_[K % 2][m], y);
        });
      });
    }
    __device__ void store(ProductOperands<T> const& o, index_t row, index_t column) const
    {
      bool const pairs = o.c_pitch % 2 == 0 && reinterpret_cast<std::uintptr_t>(o.c) % 8 == 0;
      unrolled<block / 16>([&](auto m) {
        unrolled<2>([&](auto half) {
          index_t const i = row + row_ + m * 16 + half * 8 + lane_ / 4;
          if (i < o.rows)
            unrolled<block / 8>([&](auto n) {
              index_t const j = column + column_ + n * 8 + lane_ % 4 * 2;
              float* const to = o.c + i * o.c_pitch + j;
              float const first = sum_[m][n][2 * half];
              float const second = sum_[m][n][2 * half + 1];
              if (pairs && j + 1 < o.columns) {
                *reinterpret_cast<float2*>(to) = make_float2(first, second);
              } else {
                if (j < o.columns)
                  to[0] = first;
                if (j + 1 < o.columns)
                  to[1] = second;
              }
            });
        });
      });
    }

  private:
    int row_, column_, lane_;
    std::uint32_t memory_;
    int x_, y_;                              ///< where this lane's first vector lies in a stage
    std::uint32_t x_part_[2][block / 16][4]; ///< one is loaded while the other is multiplied
    std::uint32_t y_part_[2][block / 16][4];
    float sum_[block / 16][block / 8][4] = {};
  };

#endif

  ProductOperands<T> o_;
};

} // namespace strata::matvec

#endif
