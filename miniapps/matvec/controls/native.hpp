#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// The hand-written controls: raw pointers, OpenMP or CUDA, none of the core's arrays.

namespace strata::matvec::native {

/// A rows × cols product's operands, both sizes at least 1; a and x begin on 16 bytes, and a's
/// last 16 bytes may be read whole. A host may store most_parts partial sums of each row in
/// `partial`.
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

// y = A x; each may return before the device has finished.

/// One thread or loop iteration per row for either layout: S2's raw-pointer version.
void rows_left(Product const& product);
void rows_right(Product const& product);
/// The best loop for the layout and the shape.
void best_left(Product const& product);
void best_right(Product const& product);

} // namespace strata::matvec::native
