#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// The hand-indexed controls: raw pointers and the device's own language, no core array code.

namespace strata::matvec::native {

/// A rows × cols product's operands; `partial` has room for most_parts_of(cols) values a row.
struct Product
{
  double const* a;
  double const* x;
  double* y;
  double* partial;
  index_t rows;
  index_t cols;
  index_t most_parts;
};

// y = A x; each may return before it has finished.

/// One thread or loop iteration per row, whatever the order: S2's raw-pointer twin.
void rows_left(Product const& product);
void rows_right(Product const& product);
/// As the order asks for.
void best_left(Product const& product);
void best_right(Product const& product);

} // namespace strata::matvec::native
