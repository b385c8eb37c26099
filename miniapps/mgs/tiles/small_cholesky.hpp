#pragma once

#include "base/kokkos.hpp"

#include <cmath>

namespace strata::mgs {

/// 1/√x of a positive normal number. On an NVIDIA GPU a cubic step from the device's
/// approximation of 20 bits: rsqrt(x) has a branch for other numbers, and nvcc moves no update
/// of a column into its latency over that.
KOKKOS_FUNCTION inline double inverse_root(double x)
{
#if defined(__CUDA_ARCH__)
  double y = 0;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  double const error = fma(-x * y, y, 1.0);
  return fma(y * error, fma(0.375, error, 0.5), y);
#else
  return 1 / std::sqrt(x);
#endif
}

/// The upper Cholesky factor of the matrix of `product(j, k)` with `shift` added to its
/// diagonal, in the first `size` columns of g's rows, `pitch` apart, with zeros below the
/// diagonal; and from column `inverses` on a diagonal of the inverse of its own. By one work
/// item. Returns whether every pivot is more than `least` times its product.
template <class Product>
KOKKOS_FUNCTION bool small_cholesky(double* g, int pitch, int inverses, int size, double shift,
                                    double least, Product const& product)
{
  for (int j = 0; j < size; ++j)
    for (int k = 0; k < size; ++k)
      g[j * pitch + k] = k < j ? 0 : product(j, k) + (j == k ? shift : 0);
  bool sound = true;
  for (int j = 0; j < size; ++j) {
    double* const row = g + j * pitch;
    sound = sound && row[j] > least * product(j, j);
    double const root = inverse_root(row[j]);
    row[inverses + j] = root;
    for (int k = j; k < size; ++k)
      row[k] *= root;
    for (int i = j + 1; i < size; ++i)
      for (int k = i; k < size; ++k)
        g[i * pitch + k] -= row[i] * row[k];
  }
  return sound;
}

} // namespace strata::mgs
