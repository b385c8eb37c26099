#pragma once

#include "base/types.hpp"

// The hand-indexed controls of batches, as those of native.hpp.

namespace strata::matvec::native {

/// count matrices of an order, both at least one, and a vector for each: in `left` order
/// element (i,j) of all matrices together, in `right` order matrix after matrix, each row by
/// row.
struct Batch
{
  double const* a;
  double const* x;
  double* y;
  index_t count;
  index_t order;
};

/// y_b = A_b x_b; may return before it has finished.
using BatchProduct = void (*)(Batch const& batch);

/// One thread or loop iteration per matrix, or as the storage order asks for; of matrices whose
/// order is known to the compiler, or 0. Null where that is none of 0, 3 and 8.
BatchProduct batch_product(bool left, bool one_by_one, index_t order);

} // namespace strata::matvec::native
