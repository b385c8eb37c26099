#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// The hand-written control of `sequence`: raw pointers to columns, OpenMP or CUDA. Results stay
// in the device's memory, and the host does not wait.

namespace strata::mgs::native {

/// *sum = Σ x[i]·y[i]
void dot(double const* x, double const* y, index_t rows, double* sum);
/// x /= √*square = *norm
void scale(double* x, index_t rows, double const* square, double* norm);
/// y -= *r x
void update(double const* x, double* y, index_t rows, double const* r);

} // namespace strata::mgs::native
