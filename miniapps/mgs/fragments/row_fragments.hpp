#pragma once

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"
#include "tiles/copy_rows.hpp"

namespace strata::mgs {

/// A lane's part of 16 rows of up to 8·Units columns, straight from and to memory, in the order
/// in which tensor cores take it. A lane has g = lane / 4 and t = lane % 4. Across: x[u][i] is
/// column 8u + 2t + i of two rows, 2g and 2g + 1 where rows are together in memory, else g and
/// g + 8. Down: x[u][i] is column 8u + g of rows 8i + 2t and the next, or of
/// 8i + t and 8i + t + 4. So lanes that access at once share sectors.
///
/// `a`'s rows are padded to a multiple of 16 by rows of zeros, which stay 0. In place of
/// columns behind the last one, the last one is read, so that no load waits for a branch; they
/// are not written.
template <class A, int Units, bool Down = false>
class RowFragments
{
public:
  static constexpr int rows = 16;
  static constexpr int unit = 8;
  using Pair = Pack<double, 2>;
  using Values = Pair[Units][2];

  KOKKOS_FUNCTION static index_t count(index_t row_count)
  {
    return (row_count + rows - 1) / rows;
  }

  /// `columns` > 8·(Units - 1).
  KOKKOS_FUNCTION RowFragments(A const& a, int columns, int lane)
      : a_(a)
      , columns_(columns)
      , step_(columns > 1 ? &a(0, 1) - &a(0, 0) : 0)
      , across_(&a(1, 0) - &a(0, 0))
  {
    int const g = lane / 4;
    int const t = lane % 4;
    for (int i = 0; i < 2; ++i) {
      column_[i] = Down ? g : 2 * t + i;
      int const of_last = unit * (Units - 1) + column_[i];
      int const row = Down ? 8 * i + (together ? 2 * t : t) : (together ? 2 * g : g);
      from_[i] = row * across_ + column_[i] * step_;
      last_[i] = row * across_ + (of_last < columns ? of_last : columns - 1) * step_;
    }
  }

  KOKKOS_FUNCTION void read(index_t tile, Values& x) const
  {
    double const* const at = &a_(rows * tile, 0);
    unrolled<Units>([&](auto u) {
      unrolled<2>([&](auto i) {
        double const* const from =
            at + (u + 1 < Units ? from_[i] + unit * u * step_ : last_[i]);
        if constexpr (together)
          x[u][i] = *reinterpret_cast<Pair const*>(from);
        else {
          x[u][i].lane[0] = *from;
          x[u][i].lane[1] = from[apart * across_];
        }
      });
    });
  }
  /// Unit u of the columns, across: x[2 high + i] is column 8u + 2t + i.
  template <class U>
  KOKKOS_FUNCTION void write(index_t tile, U u, double const (&x)[4]) const
  {
    double* const at = &a_(rows * tile, 0);
    unrolled<2>([&](auto i) {
      if (u + 1 == Units && unit * u + column_[i] >= columns_)
        return;
      double* const to = at + from_[i] + unit * u * step_;
      if constexpr (together) {
        Pair pair(x[i]);
        pair.lane[1] = x[2 + i];
        *reinterpret_cast<Pair*>(to) = pair;
      } else {
        *to = x[i];
        to[apart * across_] = x[2 + i];
      }
    });
  }

  /// Calls f(tile, x, next) for tiles `first`, `first` + `step` and so on below `end`. Ahead of
  /// them are read before they are needed; f calls next() when it has used x.
  template <int Ahead, class F>
  KOKKOS_FUNCTION void each(index_t first, index_t step, index_t end, F const& f) const
  {
    Values x[Ahead];
    unrolled<Ahead>([&](auto n) {
      if (first + n * step < end)
        read(first + n * step, x[n]);
    });
    for (index_t tile = first; tile < end; tile += Ahead * step)
      unrolled<Ahead>([&](auto n) {
        index_t const now = tile + n * step;
        if (now >= end)
          return;
        f(now, x[n], [&] {
          if (now + Ahead * step < end)
            read(now + Ahead * step, x[n]);
        });
      });
  }

private:
  static constexpr bool together = rows_are_together<A>;
  static constexpr int apart = Down ? 4 : 8; ///< rows of a pair, where they are not together

  A a_;
  int columns_;
  index_t step_;   ///< from a column to the next
  index_t across_; ///< from a row to the next
  int column_[2];  ///< in a unit
  index_t from_[2], last_[2];
};

} // namespace strata::mgs
