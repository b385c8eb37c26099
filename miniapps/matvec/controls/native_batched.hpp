#pragma once

#include "base/types.hpp"

// The hand-written controls of batches, as those of native.hpp.

namespace strata::matvec::native {

/// `count` matrices of `order`, both at least 1, and a vector for each. Layout left has element
/// (i,j) of all matrices side by side; right has matrix after matrix, each row by row.
struct Batch
{
  double const* a;
  double const* x;
  double* y;
  index_t count;
  index_t order;
};

/// y_b = A_b x_b; may return before the device has finished.
using BatchProduct = void (*)(Batch const& batch);

/// One thread or loop iteration per matrix, or the best loop for the layout; for matrices of an
/// order that is a compile-time constant (3 or 8), or of any (0). Null for other orders.
BatchProduct batch_product(bool left, bool one_by_one, index_t order);

} // namespace strata::matvec::native
