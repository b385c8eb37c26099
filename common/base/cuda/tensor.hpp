#pragma once

#include "../kokkos.hpp"

// Products of small matrices of doubles by a warp, on the tensor cores of an NVIDIA GPU
// (compute capability 8 or later). A lane has g = lane / 4 and t = lane % 4. Empty without
// CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::cuda {

/// C += A B, where A is 16 × 4, B is 4 × 8. A lane gives A(g, t), A(g + 8, t) and B(t, g); it
/// holds C(g, 2t), C(g, 2t + 1), C(g + 8, 2t), C(g + 8, 2t + 1). One instruction from compute
/// capability 9 on, in half of the time of the two for 8 × 4.
__device__ inline void add_product(double (&c)[4], double a_low, double a_high, double b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a_low), "d"(a_high), "d"(b));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a_low), "d"(b));
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[2]), "+d"(c[3])
      : "d"(a_high), "d"(b));
#endif
}

/// The same where A is 16 × 8, B is 8 × 8: a lane gives A(g, t), A(g + 8, t), A(g, t + 4),
/// A(g + 8, t + 4) and B(t, g), B(t + 4, g).
__device__ inline void add_product(double (&c)[4], double const (&a)[4], double const (&b)[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  add_product(c, a[0], a[1], b[0]);
  add_product(c, a[2], a[3], b[1]);
#endif
}

} // namespace strata::cuda

#endif
