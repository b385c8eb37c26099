#pragma once

#include "native_sparse.hpp"

#include "base/types.hpp"

#include <functional>
#include <string>

// The vendor's library of sparse products: cuSPARSE on a CUDA device, where the build found it.

namespace strata::matvec::vendor {

/// Its name in labels; empty where there is none.
std::string sparse_library();
/// Its file.
std::string sparse_path();

/// A launch of y = A x, of a matrix compressed by rows with `cols` columns. The library has
/// prepared it (cusparseSpMV_preprocess) when this returns; its offsets are copied in the 32
/// bits that it wants. Null where there is no library.
std::function<void()> csr_product(native::SparseProduct const& product, index_t cols);

} // namespace strata::matvec::vendor
