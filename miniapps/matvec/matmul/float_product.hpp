#pragma once

#include "product_operands.hpp"
#include "tile_order.hpp"
#include "tuning.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/async_copy.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

// C = A B in floats on an NVIDIA GPU, whose tensor cores have no floats. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec {

/// As TensorProduct: a tile of C by a team, whose members each have a block of it in registers.
/// Where Y is contiguous along j, Width floats of it are copied at once: 4 where its lines
/// begin on 16 bytes.
///
/// A panel has a line for each k, of which a member reads four numbers at once. What lies along
/// k in memory is turned on its way: a warp copies eight numbers k of four lines at once, which
/// then lie in different banks of scratch memory.
template <bool Along, int Width>
class FloatProduct
{
public:
  static constexpr char const* name() { return "strata::matvec::FloatProduct"; }

private:
  static constexpr int edge = tuning::float_tile;
  static constexpr int depth = tuning::float_depth;
  static constexpr int stages = tuning::float_stages;
  static constexpr int pitch = edge + 4; ///< of a panel: eight lines differ in their banks
  static constexpr int half = 4;         ///< of a member's block of 8 by 8, four each way
  static constexpr int lanes_down = 8;   ///< of a warp, whose block has 64 rows, 32 columns
  static constexpr int lanes_across = 4;
  static constexpr int warp_rows = 2 * half * lanes_down;
  static constexpr int warp_columns = 2 * half * lanes_across;
  static constexpr int warps_across = edge / warp_columns;
  static constexpr int panel = depth * pitch;
  static constexpr int stage_size = 2 * panel;
  static_assert(lanes_down * lanes_across == 32 && edge % warp_rows == 0);

public:
  static constexpr int members = 32 * (edge / warp_rows) * warps_across;
  static constexpr unsigned teams_at_once = tuning::float_teams;
  static constexpr int compute_capability = 80;
  static constexpr std::size_t scratch_bytes = sizeof(float) * stages * stage_size;

  explicit FloatProduct(ProductOperands<float> const& operands)
      : o_(operands)
  {
  }
  [[nodiscard]] index_t tiles() const { return order().count(); }

  template <class Team>
  KOKKOS_FUNCTION void operator()([[maybe_unused]] Team const& team) const
  {
#if defined(__CUDA_ARCH__)
    auto const at = order()(team.index());
    index_t const row = at.row * edge;
    index_t const column = at.column * edge;
    auto* const memory = static_cast<float*>(team.scratch());
    int const member = team.rank();
    TurnedPanel x(o_.x + row * o_.x_pitch, o_.x_pitch, static_cast<int>(o_.rows - row),
                  static_cast<int>(o_.depth), member, memory);
    PanelOfY y(o_.y + column * (Along ? o_.y_pitch : 1), o_.y_pitch,
               static_cast<int>(o_.columns - column), static_cast<int>(o_.depth), member,
               memory + panel);
    Block of_member(member, memory);
    int const steps = static_cast<int>((o_.depth + depth - 1) / depth);
    unrolled<stages - 1>([&](auto s) {
      x.fetch(s);
      y.fetch(s);
      nvidia::end_copies();
    });
    for (int step = 0, stage = 0; step < steps; ++step) {
      nvidia::await_copies<stages - 2>();
      team.barrier(); // all have this stage, and all have read the one before
      int const last = stage == 0 ? stages - 1 : stage - 1;
      x.fetch(last);
      y.fetch(last);
      nvidia::end_copies();
      of_member.multiply(stage);
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
    of_member.store(o_, row, column);
#endif
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION TileOrder order() const
  {
    return {o_.rows, o_.columns, edge, edge, tuning::float_band};
  }

#if defined(__CUDA_ARCH__)

  /// Panels of a matrix that is contiguous along k, as one member copies them; what lies beyond
  /// the matrix becomes 0.
  class TurnedPanel
  {
  public:
    __device__ TurnedPanel(float const* first, index_t line_pitch, int lines_left,
                           int depth_left, int member, float* memory)
        : k_left_(depth_left - member % abreast)
        , lines_left_(lines_left - member / abreast)
        , step_(lines * line_pitch)
        , from_(first + member / abreast * line_pitch + member % abreast)
        , to_(memory + member % abreast * pitch + member / abreast)
    {
    }
    /// Starts copying the next panel.
    __device__ void fetch(int stage)
    {
      float* const to = to_ + stage * stage_size;
      if (lines_left_ > edge - lines && k_left_ > depth - abreast)
        each([&](auto line, auto k) {
          nvidia::copy_async<word>(to + k * pitch + line * lines, from_ + line * step_ + k);
        });
      else
        each([&](auto line, auto k) {
          bool const there = line * lines < lines_left_ && k < k_left_;
          nvidia::copy_async<word>(to + k * pitch + line * lines,
                                   there ? from_ + line * step_ + k : from_, there ? word : 0);
        });
      from_ += k_left_ > depth ? depth : 0;
      k_left_ -= depth;
    }

  private:
    static constexpr int word = sizeof(float);
    static constexpr int abreast = 8; ///< numbers k, a sector of memory
    static constexpr int lines = members / abreast;

    /// Calls f(n, k) for the lines and numbers k that a member copies, from its first ones on.
    template <class F>
    static __device__ void each(F const& f)
    {
      unrolled<edge / lines>([&](auto n) {
        unrolled<depth / abreast>([&](auto part) { f(n, Number<part * abreast>()); });
      });
    }

    int k_left_, lines_left_;
    index_t step_;
    float const* from_;
    float* to_;
  };

  /// The same of a matrix that is contiguous across k.
  class StraightPanel
  {
  public:
    __device__ StraightPanel(float const* first, index_t line_pitch, int columns_left,
                             int depth_left, int member, float* memory)
        : k_left_(depth_left - member / vectors)
        , bytes_(bytes_of(columns_left - member % vectors * Width))
        , pitch_(line_pitch)
        , from_(first + member / vectors * line_pitch +
                (bytes_ > 0 ? member % vectors * Width : 0))
        , to_(memory + member / vectors * pitch + member % vectors * Width)
    {
    }
    __device__ void fetch(int stage)
    {
      float* const to = to_ + stage * stage_size;
      unrolled<depth / lines>([&](auto n) {
        bool const there = n * lines < k_left_;
        nvidia::copy_async<Width * word>(to + n * lines * pitch,
                                         there ? from_ + n * lines * pitch_ : from_,
                                         there ? bytes_ : 0);
      });
      from_ += k_left_ > depth ? depth * pitch_ : 0;
      k_left_ -= depth;
    }

  private:
    static constexpr int word = sizeof(float);
    static constexpr int vectors = edge / Width; ///< of a line
    static constexpr int lines = members / vectors;

    static __device__ int bytes_of(int there)
    {
      return (there < 0 ? 0 : there < Width ? there : Width) * word;
    }

    int k_left_, bytes_;
    index_t pitch_;
    float const* from_;
    float* to_;
  };

  using PanelOfY = std::conditional_t<Along, TurnedPanel, StraightPanel>;

  /// A member's block of C: four by four numbers of each quarter of its warp's.
  class Block
  {
  public:
    __device__ Block(int member, float const* memory)
        : row_(member / 32 / warps_across * warp_rows + member % 32 / lanes_across * half)
        , column_(member / 32 % warps_across * warp_columns + member % lanes_across * half)
        , x_(memory + row_)
        , y_(memory + panel + column_)
    {
    }
    /// Adds the products of a stage's panels.
    __device__ void multiply(int stage)
    {
      float const* const x_from = x_ + stage * stage_size;
      float const* const y_from = y_ + stage * stage_size;
      float4 x[2][2];
      float4 y[2][2];
      auto const load = [&](auto k) {
        unrolled<2>([&](auto h) {
          x[k % 2][h] =
              *reinterpret_cast<float4 const*>(x_from + k * pitch + h * half * lanes_down);
          y[k % 2][h] =
              *reinterpret_cast<float4 const*>(y_from + k * pitch + h * half * lanes_across);
        });
      };
      load(Number<0>());
      unrolled<depth>([&](auto k) {
        if constexpr (k + 1 < depth)
          load(Number<k + 1>());
        float const a[8] = {x[k % 2][0].x, x[k % 2][0].y, x[k % 2][0].z, x[k % 2][0].w,
                            x[k % 2][1].x, x[k % 2][1].y, x[k % 2][1].z, x[k % 2][1].w};
        float const b[8] = {y[k % 2][0].x, y[k % 2][0].y, y[k % 2][0].z, y[k % 2][0].w,
                            y[k % 2][1].x, y[k % 2][1].y, y[k % 2][1].z, y[k % 2][1].w};
        unrolled<8>([&](auto m) { unrolled<8>([&](auto n) { sum_[m][n] += a[m] * b[n]; }); });
      });
    }
    __device__ void store(ProductOperands<float> const& o, index_t row, index_t column) const
    {
      bool const fours =
          o.c_pitch % half == 0 && reinterpret_cast<std::uintptr_t>(o.c) % 16 == 0;
      unrolled<8>([&](auto m) {
        index_t const i = row + row_ + m / half * half * lanes_down + m % half;
        if (i < o.rows)
          unrolled<2>([&](auto h) {
            index_t const j = column + column_ + h * half * lanes_across;
            float* const to = o.c + i * o.c_pitch + j;
            float const* const sum = &sum_[m][h * half];
            if (fours && j + half <= o.columns)
              *reinterpret_cast<float4*>(to) = make_float4(sum[0], sum[1], sum[2], sum[3]);
            else
              unrolled<half>([&](auto n) {
                if (j + n < o.columns)
                  to[n] = sum[n];
              });
          });
      });
    }

  private:
    int row_, column_;
    float const* x_;
    float const* y_;
    float sum_[8][8] = {};
  };

#endif

  ProductOperands<float> o_;
};

} // namespace strata::matvec

#endif
