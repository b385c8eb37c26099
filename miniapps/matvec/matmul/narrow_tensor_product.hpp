#pragma once

#include "narrow_panels.hpp"
#include "product_operands.hpp"
#include "tile_order.hpp"
#include "tuning.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/async_copy.hpp"
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
  using Shape = NarrowShape<Along>;
  static constexpr int rows = Shape::rows;
  static constexpr int columns = Shape::columns;
  static constexpr int block = Shape::block;
  static constexpr int depth = Shape::depth;
  static constexpr int stages = Shape::stages;
  static constexpr int parts = Shape::parts;
  static_assert(is_narrow<T> && sizeof(T) == Shape::element);

public:
  static constexpr int members = Shape::members;
  static constexpr unsigned teams_at_once = 1;
  static constexpr int compute_capability = 80;
  static constexpr std::size_t scratch_bytes = std::size_t{stages} * Shape::stage_size;

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
    NarrowPanels<T, Along> panels(o_, at.row * rows, at.column * columns, team.rank(), memory);
    Block of_warp(team.rank(), memory);
    int const whole = static_cast<int>(o_.depth / depth);
    unrolled<stages - 1>([&](auto s) {
      unrolled<parts>([&](auto part) { panels.template fetch<part.value>(s < whole, s); });
      panels.advance();
    });
    nvidia::await_copies<stages - 2>();
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
      nvidia::await_copies<stages - 2>();
      team.barrier(); // all have the next stage, and all have read this one
      of_warp.load(next, Number<0>());
      of_warp.multiply(Number<parts - 1>());
      stage = next;
    }
    if (whole * depth < o_.depth) {
      nvidia::await_copies<0>();
      team.barrier();
      panels.fetch_rest(whole, 0);
      nvidia::await_copies<0>();
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
    return {o_.rows, o_.columns, rows, columns, tuning::narrow_band};
  }

#if defined(__CUDA_ARCH__)

  /// A warp's block of C. Of X a lane loads, four times, 16 rows by 16 numbers k; of Y 16
  /// columns by as many.
  class Block
  {
  public:
    __device__ Block(int member, std::byte const* memory)
        : row_(member / 32 / Shape::across * block)
        , column_(member / 32 % Shape::across * block)
        , lane_(member % 32)
        , memory_(static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)))
        , x_((row_ + lane_ % 16) * Shape::line_of_k +
             (lane_ / 16 ^ (lane_ & 7)) * Shape::vector)
        , y_(Shape::x_size +
             (Along ? (column_ + (lane_ & 7) + lane_ / 16 * 8) * Shape::y_line +
                          (lane_ / 8 % 2 ^ (lane_ & 7)) * Shape::vector
                    : lane_ % 16 * Shape::y_line + column_ * static_cast<int>(sizeof(T)) +
                          (lane_ / 16 ^ (lane_ & 7)) * Shape::vector))
    {
    }
    /// Loads the numbers K of a stage, 16 of them.
    template <int K>
    __device__ void load(int stage, Number<K> /*k*/)
    {
      std::uint32_t const from = memory_ + stage * Shape::stage_size;
      std::uint32_t const x_from = from + (x_ ^ K * 2 * Shape::vector);
      unrolled<block / 16>([&](auto m) {
        nvidia::load_matrices<false>(x_part_[K % 2][m], x_from + m * 16 * Shape::line_of_k);
      });
      unrolled<block / 16>([&](auto n) {
        int const y_from = Along ? (y_ ^ K * 2 * Shape::vector) + n * 16 * Shape::y_line
                                 : (y_ ^ n * 2 * Shape::vector) + K * 16 * Shape::y_line;
        nvidia::load_matrices<!Along>(y_part_[K % 2][n], from + y_from);
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
            nvidia::add_product_of_halves(sum_[m][n], x_part_[K % 2][m], y);
          else
            nvidia::add_product_of_bfloats(sum_[m][n], x_part_[K % 2][m], y);
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
    int x_, y_; ///< where this lane's first Shape::vector lies in a stage
    std::uint32_t x_part_[2][block / 16][4]; ///< one is loaded while the other is multiplied
    std::uint32_t y_part_[2][block / 16][4];
    float sum_[block / 16][block / 8][4] = {};
  };

#endif

  ProductOperands<T> o_;
};

} // namespace strata::matvec

#endif
