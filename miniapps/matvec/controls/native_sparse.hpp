#pragma once

#include "base/types.hpp"

#include <cstdint>

// The hand-written controls of sparse products, as those of native.hpp.

namespace strata::matvec::native {

/// A matrix compressed by lines (rows or columns, at least one), and its vectors.
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

// y = A x; each may return before the device has finished.

/// Compressed by rows: one thread or loop iteration per row.
void csr_rows(SparseProduct const& product);
/// The same. A GPU has one thread per row where rows have at most eight entries on average,
/// else one for each four entries, rounded up to a power of two of at most 32 (Bell and Garland
/// 2009, "vector" kernel). A host has four sums per row where that average is 16 or more.
void csr_best(SparseProduct const& product);
/// Compressed by columns: one thread or loop iteration per column, with atomic additions.
void csc_columns(SparseProduct const& product);

} // namespace strata::matvec::native
