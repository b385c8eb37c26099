#pragma once

#include "native_batched.hpp"

#include "array/access/narrow.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <string>

// The vendor's library: CBLAS on a host, cuBLAS on a CUDA device, where the build found one.

namespace strata::matvec::vendor {

/// Why there is no such library; empty where there is one.
std::string unavailable();

/// The loaded library's name in labels: "openblas", "netlib", "cublas".
std::string library();
/// Its file.
std::string path();

/// y = A x or Aᵀ x of doubles or floats. Column-major means LayoutLeft. May return before the
/// device has finished.
template <class T>
void gemv(bool column_major, bool transposed, index_t rows, index_t cols, T const* a,
          T const* x, T* y);
/// y = A x; `a` holds the lower triangle row by row, packed.
void spmv(index_t order, double const* a, double const* x, double* y);
/// The same of a square in full storage, of which the library reads the lower triangle by
/// columns.
void symv(index_t order, double const* a, double const* x, double* y);
/// y_b = A_b x_b of matrices in layout right; null where the library has no such call.
native::BatchProduct batched_gemv();
/// Whether the library multiplies matrices of such numbers; CBLAS has none of two bytes.
template <class T>
inline constexpr bool multiplies = !(device_is_host && is_narrow<T>);
/// C = A B, each column- or row-major; B is square, A and C have `rows` rows. Sums of narrow
/// numbers are floats.
template <class T>
void gemm(bool column_major_a, bool column_major_b, bool column_major_c, index_t rows,
          index_t order, T const* a, T const* b, computed_t<T>* c);

} // namespace strata::matvec::vendor
