#pragma once

#include "array/dense/array.hpp"

#include <cstddef>

// What the tests of matvec's kernels multiply.

namespace strata::matvec {

/// Small whole numbers: every sum of them is exact, in any order.
KOKKOS_INLINE_FUNCTION double whole(index_t i, index_t j)
{
  return static_cast<double>((7 * i + 3 * j) % 11 - 4);
}

template <class T, class Layout, std::size_t Rank>
using HostArray = Array<T, Dynamic<Rank>, Layout, HostSpace>;

struct Shape
{
  index_t rows, cols;
};

/// Writes whole numbers to a matrix of the host.
template <class M>
void set(M const& matrix)
{
  auto const a = matrix.write();
  for (index_t i = 0; i < a.extent(0); ++i)
    for (index_t j = 0; j < a.extent(1); ++j)
      a(i, j) = whole(i, j);
}

} // namespace strata::matvec
