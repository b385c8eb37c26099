#pragma once

#include "base/kokkos.hpp"

namespace strata::mgs {

/// Places of (U, C) in scratch memory, which holds only the part right of the diagonal, in
/// whole pairs, so that the tiles and factors of twelve teams fit.
template <int Columns>
struct FactorRows
{
  /// Start of row b, whose first column is b rounded down to an even one.
  static constexpr KOKKOS_FUNCTION int begin(int b)
  {
    int const pairs = b / 2;
    return 2 * pairs * (Columns - pairs + 1) + b % 2 * (Columns - 2 * pairs);
  }
  /// Number of values.
  static constexpr KOKKOS_FUNCTION int size() { return begin(Columns); }
};

} // namespace strata::mgs
