#pragma once

#include <cstdint>

// C = A B of factors of two bytes by instructions of compute capability 9.0a, which CUDA's own
// compiler translates: Kokkos' options name 9.0. Empty where the build has no such compiler.

#if defined(STRATA_MATVEC_WARPGROUP)

#include <cuda_runtime_api.h>

namespace strata::matvec {

inline constexpr char const* warpgroup_product_name = "strata::matvec::WarpgroupProduct";

/// C(i, j) = Σ_k X(i, k) Y(k, j) in floats. X is contiguous along k, C along j, Y along k
/// (y_along_k) or along j; lines are `pitch` elements apart, those of X and Y begin on 16
/// bytes.
struct WarpgroupOperands
{
  void const* x;
  void const* y;
  float* c;
  std::int64_t x_pitch, y_pitch, c_pitch;
  std::int64_t rows, columns, depth;
  bool y_along_k;
  bool bfloat; ///< X and Y are bfloat16, else IEEE 754's binary16
};

/// Whether this device runs code for 9.0a, and the sizes are not zero and what it counts to.
bool runs_warpgroup_product(WarpgroupOperands const& operands);

/// Starts the product by at most so many blocks, one for each multiprocessor.
cudaError_t launch_warpgroup_product(WarpgroupOperands const& operands, int blocks,
                                     cudaStream_t stream);

} // namespace strata::matvec

#endif
