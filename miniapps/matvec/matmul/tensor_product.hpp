#pragma once

#include "product_operands.hpp"
#include "tile_order.hpp"
#include "tuning.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/async_copy.hpp"
#include "base/cuda/tensor.hpp"

#include <cstddef>

// C = A B in doubles on the tensor cores of an NVIDIA GPU. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec {

/// A team computes a tile of C. Panels of X and Y travel to its scratch memory several steps
/// ahead; each warp multiplies a block of them, with its part of C in registers. Y is
/// contiguous along k (Along) or along j. Vectors of Width doubles are copied: 2 where all
/// lines begin on 16 bytes.
///
/// The tensor cores' eight columns are rows of X and their sixteen rows columns of Y; a lane's
/// two numbers k are neighbours in X, and so are its two columns in Y. What it then loads at
/// once, 16 bytes, is what an instruction takes, in that order, unless Y is contiguous along k.
template <bool Along, int Width>
class TensorProduct
{
public:
  static constexpr char const* name() { return "strata::matvec::TensorProduct"; }

private:
  static constexpr int edge = tuning::tensor_tile;
  static constexpr int block = tuning::tensor_block;
  static constexpr int depth = tuning::tensor_depth;
  static constexpr int stages = tuning::tensor_stages;
  static constexpr int blocks = edge / block; ///< along an edge
  static_assert(block % 16 == 0 && depth == 16);

public:
  static constexpr int members = 32 * blocks * blocks;
  static constexpr unsigned teams_at_once = tuning::tensor_teams;
  static constexpr int compute_capability = 80;

private:
  // Lines of a panel along k have eight vectors of 16 bytes, whose order is such that those
  // which eight lanes read at once lie in different banks; lines along j are padded for that.
  static constexpr int y_pitch = Along ? depth : edge + 2;
  static constexpr int x_size = edge * depth;
  static constexpr int y_size = Along ? edge * depth : depth * y_pitch;
  static constexpr int stage_size = x_size + y_size;

public:
  static constexpr std::size_t scratch_bytes = sizeof(double) * stages * stage_size;

  explicit TensorProduct(ProductOperands<double> const& operands)
      : o_(operands)
  {
  }
  [[nodiscard]] index_t tiles() const { return order().count(); }

  template <class Team>
  KOKKOS_FUNCTION void operator()([[maybe_unused]] Team const& team) const
  {
#if defined(__CUDA_ARCH__)
    auto const at = order()(team.index());
    auto* const memory = static_cast<double*>(team.scratch());
    Panels panels(o_, at.row * edge, at.column * edge, team.rank(), memory);
    Block of_warp(team.rank(), memory);
    int const steps = static_cast<int>((o_.depth + depth - 1) / depth);
    unrolled<stages - 1>([&](auto s) {
      panels.fetch(s, steps, s, s);
      nvidia::end_copies();
    });
    panels.advance(stages - 1);
    for (int first = 0; first < steps; first += stages) {
      unrolled<stages>([&](auto s) {
        if (first + s < steps) {
          nvidia::await_copies<stages - 2>();
          team.barrier(); // all have that stage, and all have read the one before
          panels.fetch(first + s + stages - 1, steps, (s + stages - 1) % stages, s);
          nvidia::end_copies();
          of_warp.multiply(s);
        }
      });
      panels.advance(stages);
    }
    of_warp.store(o_, at.row * edge, at.column * edge);
#endif
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION TileOrder order() const
  {
    return {o_.rows, o_.columns, edge, edge, tuning::tensor_band};
  }

#if defined(__CUDA_ARCH__)

  /// Where vector `v` of 16 bytes lies in its line along k, by a number that differs in lines
  /// that are read at once.
  static __device__ int place(int v, int line) { return 2 * (v ^ (line % 2 * 4)); }

  /// The panels as one member copies them: the same part of each.
  class Panels
  {
  public:
    __device__ Panels(ProductOperands<double> const& o, index_t row, index_t column, int member,
                      double* memory)
        : k_(member % vectors * Width)
        , j_(member % across * Width)
        , line_(member / vectors)
        , y_line_(Along ? line_ : member / across)
        , x_(o.x + (row + line_) * o.x_pitch + k_)
        , y_(Along ? o.y + (column + line_) * o.y_pitch + k_
                   : o.y + y_line_ * o.y_pitch + column + j_)
        , x_to_(memory + line_ * depth + place(k_ / 2, line_) + k_ % 2)
        , y_to_(memory + x_size +
                (Along ? line_ * depth + place(k_ / 2, line_ / 2) + k_ % 2
                       : y_line_ * y_pitch + j_))
        , x_step_(x_lines * o.x_pitch)
        , y_step_(y_lines * o.y_pitch)
        , y_pitch_(o.y_pitch)
        , rows_(static_cast<int>(o.rows - row))
        , columns_(static_cast<int>(o.columns - column))
        , depth_(static_cast<int>(o.depth))
        , whole_(rows_ >= edge && columns_ >= edge ? static_cast<int>(o.depth / depth) : 0)
    {
    }
    /// Starts copying the panels of a step, if there is one, `ahead` of where they stand.
    __device__ void fetch(int step, int steps, int stage, int ahead)
    {
      double const* const x = x_ + ahead * depth;
      double const* const y = y_ + (Along ? ahead * depth : ahead * depth * y_pitch_);
      double* const x_to = x_to_ + stage * stage_size;
      double* const y_to = y_to_ + stage * stage_size;
      if (step < whole_) {
        unrolled<edge / x_lines>([&](auto n) {
          nvidia::copy_async<bytes>(x_to + n * x_lines * depth, x + n * x_step_);
        });
        unrolled<y_copies>([&](auto n) {
          nvidia::copy_async<bytes>(y_to + n * y_lines * y_pitch, y + n * y_step_);
        });
      } else if (step < steps) {
        int const k = step * depth;
        int const of_k = bytes_of(depth_ - k - k_);
        unrolled<edge / x_lines>([&](auto n) {
          nvidia::copy_async<bytes>(x_to + n * x_lines * depth, x + n * x_step_,
                                    line_ + n * x_lines < rows_ ? of_k : 0);
        });
        int const of_y = Along ? of_k : bytes_of(columns_ - j_);
        int const y_left = Along ? columns_ : depth_ - k;
        unrolled<y_copies>([&](auto n) {
          nvidia::copy_async<bytes>(y_to + n * y_lines * y_pitch, y + n * y_step_,
                                    y_line_ + n * y_lines < y_left ? of_y : 0);
        });
      }
    }
    __device__ void advance(int steps)
    {
      x_ += steps * depth;
      y_ += Along ? steps * depth : steps * depth * y_pitch_;
    }

  private:
    static constexpr int bytes = Width * static_cast<int>(sizeof(double));
    static constexpr int vectors = depth / Width;     ///< of a line along k
    static constexpr int across = edge / Width;       ///< of a line along j
    static constexpr int x_lines = members / vectors; ///< that the members copy at once
    static constexpr int y_lines = members / (Along ? vectors : across);
    static constexpr int y_copies = (Along ? edge : depth) / y_lines;
    static_assert(x_lines % 4 == 0, "the lines of a member have their vectors in one order");

    static __device__ int bytes_of(int there)
    {
      return (there < 0 ? 0 : there < Width ? there : Width) * static_cast<int>(sizeof(double));
    }

    int k_, j_, line_, y_line_;
    double const* x_;
    double const* y_;
    double* x_to_;
    double* y_to_;
    index_t x_step_, y_step_, y_pitch_;
    int rows_, columns_, depth_; ///< that are left, and all of k
    int whole_;                  ///< steps whose panels are all there
  };

  /// A warp's block of C.
  class Block
  {
  public:
    __device__ Block(int member, double const* memory)
        : row_(member / 32 / blocks * block)
        , column_(member / 32 % blocks * block)
        , g_(member % 32 / 4)
        , t_(member % 4)
        , x_{x_at(memory, 0), x_at(memory, 1)}
        , y_{y_at(memory, 0), y_at(memory, 1)}
    {
    }
    /// Adds the products of a stage's panels.
    __device__ void multiply(int stage)
    {
      double y[2][block / 16][4];
      double x[2][block / 8][2];
      unrolled<2>([&](auto half) {
        double const* const x_from = x_[half] + stage * stage_size;
        double const* const y_from = y_[half] + stage * stage_size;
        unrolled<block / 8>([&](auto n) {
          auto const two = reinterpret_cast<double2 const*>(x_from)[n * 8 * depth / 2];
          x[half][n][0] = two.x;
          x[half][n][1] = two.y;
        });
        unrolled<block / 16>([&](auto m) {
          unrolled<2>([&](auto u) {
            if constexpr (Along) {
              auto const two =
                  reinterpret_cast<double2 const*>(y_from)[(m * 16 + u) * depth / 2];
              y[half][m][u] = two.x;
              y[half][m][2 + u] = two.y;
            } else {
              auto const two =
                  reinterpret_cast<double2 const*>(y_from)[(u * y_pitch + m * 16) / 2];
              y[half][m][2 * u] = two.x;
              y[half][m][2 * u + 1] = two.y;
            }
          });
        });
      });
      unrolled<2>([&](auto half) {
        unrolled<block / 16>([&](auto m) {
          unrolled<block / 8>(
              [&](auto n) { nvidia::add_product(sum_[m][n], y[half][m], x[half][n]); });
        });
      });
    }
    __device__ void store(ProductOperands<double> const& o, index_t row, index_t column) const
    {
      unrolled<block / 8>([&](auto n) {
        unrolled<2>([&](auto e) {
          index_t const i = row + row_ + n * 8 + 2 * t_ + e;
          if (i < o.rows)
            unrolled<block / 16>([&](auto m) {
              unrolled<2>([&](auto u) {
                index_t const j = column + column_ + m * 16 + 2 * g_ + u;
                if (j < o.columns)
                  o.c[i * o.c_pitch + j] = sum_[m][n][2 * u + e];
              });
            });
        });
      });
    }

  private:
    // This lane's first elements in the eight numbers k of each half of a panel: k = 2 t.
    __device__ double const* x_at(double const* memory, int half) const
    {
      return memory + (row_ + g_) * depth + place(4 * half + t_, g_);
    }
    __device__ double const* y_at(double const* memory, int half) const
    {
      double const* const y = memory + x_size;
      return Along ? y + (column_ + 2 * g_) * depth + place(4 * half + t_, g_)
                   : y + (8 * half + 2 * t_) * y_pitch + column_ + 2 * g_;
    }

    int row_, column_, g_, t_;
    double const* x_[2];
    double const* y_[2];
    double sum_[block / 16][block / 8][4] = {};
  };

#endif

  ProductOperands<double> o_;
};

} // namespace strata::matvec

#endif
