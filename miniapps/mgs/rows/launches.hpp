#pragma once

#include "base/types.hpp"

// The launches of which factorisations consist. An algorithm is a sequence of these calls; it
// is written once and runs on arrays of any layout, on controls, and on a counter of work.
// There is one virtual call per launch. Columns are numbered from 0. Sums are over all ranks,
// with one Allreduce per call.

namespace strata::mgs {

/// Vector operations. R(j, k) and the norms stay in the implementation's memory.
class VectorOperations
{
public:
  VectorOperations() = default;
  VectorOperations(VectorOperations const&) = delete;
  VectorOperations& operator=(VectorOperations const&) = delete;
  virtual ~VectorOperations() = default;

  virtual void norm(index_t j) = 0;              ///< of column j, squared
  virtual void scale(index_t j) = 0;             ///< a_j /= its norm = R(j, j)
  virtual void dot(index_t j, index_t k) = 0;    ///< R(j, k) = a_j·a_k
  virtual void update(index_t j, index_t k) = 0; ///< a_k -= R(j, k) a_j
  virtual void finish() {}                       ///< copies R to where the caller reads it
};

/// Operations on one column and many others.
class RowOperations : public VectorOperations
{
public:
  virtual void dots(index_t j) = 0;    ///< R(j, k) = a_j·a_k for all k > j
  virtual void updates(index_t j) = 0; ///< a_k -= R(j, k) a_j for all k > j

  virtual void first_row() = 0;      ///< products of column 0 with all columns
  virtual void fused(index_t j) = 0; ///< a fused pass: columns from j on, products of row j+1
  virtual void last_column() = 0;    ///< normalised by the last row's only product
  virtual void finish_fused() = 0;   ///< R from the products

  /// Products of column j with all before it; `again`: after the first projection.
  virtual void project(index_t j, bool again) = 0;
  /// a_j -= its projections; `last`: and its norm over all ranks.
  virtual void subtract(index_t j, bool again, bool last) = 0;
  virtual void finish_classical(bool twice) = 0; ///< R from the projections
};

// The algorithms, over `columns` columns. Source: Golub and Van Loan, section 5.2; S1 section
// V and S5 section 6.1.4 for the first and for `classical`.
void sequence(RowOperations& on, index_t columns);
void batched(RowOperations& on, index_t columns);
void fused(RowOperations& on, index_t columns);
void classical(RowOperations& on, index_t columns);
void classical_twice(RowOperations& on, index_t columns);

/// The same for implementations that have vector operations only.
void level_one_sequence(VectorOperations& on, index_t columns);

} // namespace strata::mgs
