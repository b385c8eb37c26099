#pragma once

#include "triangle.hpp"

#include "base/kokkos.hpp"

namespace strata::mgs {

/// A warp's share of the products of all columns, in blocks of a strip's 16 left columns by 8
/// right ones, a unit: `split` units from unit[0] on with strip[0], then from unit[1] on with
/// strip[1], `count` together.
struct Share
{
  int strip[2];
  int unit[2];
  int split;
  int count;
};

/// The shares of a team's warps. Groups of warps, one for each slice, have all products each,
/// of a slice of the rows.
struct Shares
{
  static constexpr int warps = 8;
  /// Greatest number of blocks of a warp, four sums a lane each.
  static constexpr int most_blocks = 24;

  int slices;
  int of_slice; ///< warps
  Share of[warps];

  /// Of at most most_wide_columns columns.
  static Shares make(Triangle const& triangle);
};

} // namespace strata::mgs
