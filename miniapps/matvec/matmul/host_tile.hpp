#pragma once

#include "product_operands.hpp"
#include "tuning.hpp"

#include "array/access/plain.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::matvec {

/// C = A B by one host thread per tile of C. Panels of Y, and of some rows of X at a time, are
/// packed, and widened, in the order in which the micro-kernel reads them. N columns of Y stay
/// in the first-level cache while those rows of X come from the second; a block of C is in
/// vector registers.
template <class T, bool YAlongK>
class HostTile
{
public:
  static constexpr char const* name() { return "strata::matvec::HostTile"; }

private:
  using Number = computed_t<T>;
  static constexpr int lanes = register_bytes / static_cast<int>(sizeof(Number));
  static constexpr int R = tuning::micro_rows;
  static constexpr int P = tuning::micro_packs;
  static constexpr int N = P * lanes;
  static constexpr int depth = tuning::tile_depth;
  static constexpr int most_columns = tuning::tile_columns;
  static constexpr int most_rows = tuning::packed_rows;
  static_assert(most_columns % N == 0 && most_rows % R == 0);

public:
  static constexpr std::size_t scratch_bytes =
      sizeof(Number) * (std::size_t{most_rows} + most_columns) * depth;

  /// Tiles are divided so that `threads` have about equal shares.
  HostTile(ProductOperands<T> const& operands, index_t threads)
      : o_(operands)
      , across_((o_.columns + most_columns - 1) / most_columns)
      , columns_(rounded(o_.columns, across_, N))
  {
    index_t least = 0;
    index_t const fewest = (o_.rows + tuning::tile_rows - 1) / tuning::tile_rows;
    for (index_t down = fewest; down <= fewest + threads; ++down) {
      index_t const rows = rounded(o_.rows, down, R);
      index_t const longest = (across_ * down + threads - 1) / threads * rows;
      if (down == fewest || longest < least) {
        least = longest;
        rows_ = rows;
      }
    }
  }
  [[nodiscard]] index_t tiles() const { return across_ * ((o_.rows + rows_ - 1) / rows_); }

  template <class Team>
  void operator()(Team const& team) const
  {
    auto* const x = static_cast<Number*>(team.scratch());
    auto* const y = x + most_rows * depth;
    index_t const i0 = team.index() / across_ * rows_;
    index_t const j0 = team.index() % across_ * columns_;
    index_t const rows = std::min(rows_, o_.rows - i0);
    int const columns = static_cast<int>(std::min(columns_, o_.columns - j0));
    for (index_t k0 = 0; k0 < o_.depth; k0 += depth) {
      int const length = static_cast<int>(std::min<index_t>(depth, o_.depth - k0));
      for (int j = 0; j < columns; j += N)
        pack_y(y + j * length, j0 + j, std::min(N, columns - j), k0, length);
      for (index_t begin = 0; begin < rows; begin += most_rows) {
        int const high = static_cast<int>(std::min<index_t>(most_rows, rows - begin));
        index_t const first = i0 + begin;
        for (int i = 0; i < high; i += R)
          pack_along<R>(x + i * length, o_.x + (first + i) * o_.x_pitch + k0, o_.x_pitch,
                        std::min(R, high - i), length);
        for (int j = 0; j < columns; j += N)
          for (int i = 0; i < high; i += R)
            multiply(x + i * length, y + j * length, length, first + i, std::min(R, high - i),
                     j0 + j, std::min(N, columns - j), k0 == 0);
      }
    }
  }

private:
  using V = Pack<Number, lanes>;

  /// The least multiple of `unit` of which `parts` reach `count`.
  static index_t rounded(index_t count, index_t parts, index_t unit)
  {
    return (count + parts * unit - 1) / (parts * unit) * unit;
  }

  /// to[k Width + line] = from[line pitch + k], 0 where there is no line. By pieces of k, whose
  /// places in `to` stay in the first-level cache.
  template <int Width>
  static void pack_along(Number* to, T const* from, index_t pitch, int lines, int length)
  {
    constexpr int piece = 16;
    if (lines < Width)
      std::fill_n(to, Width * length, Number{});
    for (int begin = 0; begin < length; begin += piece) {
      int const end = std::min(begin + piece, length);
      for (int line = 0; line < lines; ++line)
        for (int k = begin; k < end; ++k)
          to[k * Width + line] = from[line * pitch + k];
    }
  }
  void pack_y(Number* to, index_t column, int there, index_t k, int length) const
  {
    if constexpr (YAlongK) {
      pack_along<N>(to, o_.y + column * o_.y_pitch + k, o_.y_pitch, there, length);
    } else {
      T const* from = o_.y + k * o_.y_pitch + column;
      for (int row = 0; row < length; ++row, from += o_.y_pitch, to += N)
        if (there == N)
          unrolled<P>([&](auto p) {
            detail::store_pack(to + p * lanes,
                               widened(detail::load_pack<lanes>(from + p * lanes)));
          });
        else
          std::fill(std::copy_n(from, there, to), to + N, Number{});
    }
  }

  void multiply(Number const* x, Number const* y, int length, index_t i, int rows, index_t j,
                int columns, bool first) const
  {
    Number* const c = o_.c + i * o_.c_pitch + j;
    V sum[R][P];
    unrolled<R>([&](auto r) {
      unrolled<P>([&](auto p) {
        sum[r][p] = V(Number{});
        if (r < rows)
          __builtin_prefetch(c + r * o_.c_pitch + p * lanes, 1); // for the end
      });
    });
    for (int k = 0; k < length; ++k, x += R, y += N) {
      V b[P];
      unrolled<P>([&](auto p) { b[p] = detail::load_pack<lanes>(y + p * lanes); });
      unrolled<R>([&](auto r) {
        V const a(x[r]);
        unrolled<P>([&](auto p) { sum[r][p] += a * b[p]; });
      });
    }
    if (rows == R && columns == N) {
      unrolled<R>([&](auto r) {
        unrolled<P>([&](auto p) {
          Number* const to = c + r * o_.c_pitch + p * lanes;
          detail::store_pack(to, first ? sum[r][p] : detail::load_pack<lanes>(to) + sum[r][p]);
        });
      });
      return;
    }
    Number block[R * N];
    unrolled<R>([&](auto r) {
      unrolled<P>([&](auto p) { detail::store_pack(block + r * N + p * lanes, sum[r][p]); });
    });
    for (int r = 0; r < rows; ++r)
      for (int n = 0; n < columns; ++n) {
        Number& to = c[r * o_.c_pitch + n];
        to = block[r * N + n] + (first ? Number{} : to);
      }
  }

  ProductOperands<T> o_;
  index_t across_;
  index_t columns_;
  index_t rows_ = 0;
};

} // namespace strata::matvec
