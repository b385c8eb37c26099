#pragma once

#include "base/types.hpp"

#include <cstdint>

// The hand-indexed controls of sparse products, as those of native.hpp.

namespace strata::matvec::native {

/// A matrix compressed along its lines, which are rows or columns and at least one, and its
/// vectors.
struct SparseProduct
{
  index_t const* offsets; ///< of lines + 1
  std::int32_t const* places;
  double const* values;
  double const* x;
  double* y;
  index_t lines;
  index_t rows; ///< of y
  index_t entries;
};

// y = A x; each may return before it has finished.

/// Compressed along rows: one thread or loop iteration per row.
void csr_rows(SparseProduct const& product);
/// The same; of a GPU as many threads per row as it has entries on average, rounded up to a
/// power of two and at most 32 (Bell and Garland 2009, "vector" kernel).
void csr_best(SparseProduct const& product);
/// Compressed along columns: one thread or loop iteration per column, which adds atomically.
void csc_columns(SparseProduct const& product);

} // namespace strata::matvec::native
