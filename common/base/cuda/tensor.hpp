#pragma once

#include "../kokkos.hpp"

#include <cstdint>

// Products of small matrices by a warp, on the tensor cores of an NVIDIA GPU (compute
// capability 8 or later). A lane has g = lane / 4 and t = lane % 4. Empty without CUDA.

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::nvidia {

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

/// C += A B in floats, where A is 16 × 16, B is 16 × 8, of IEEE 754's binary16. A lane's words
/// hold two neighbours along k each: A(g, 2t), A(g + 8, 2t), A(g, 2t + 8), A(g + 8, 2t + 8)
/// and B(2t, g), B(2t + 8, g), with those that follow them. C as above. Sums are truncated, not
/// rounded.
__device__ inline void add_product_of_halves(float (&c)[4], std::uint32_t const (&a)[4],
                                             std::uint32_t const (&b)[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
/// The same of bfloat16.
__device__ inline void add_product_of_bfloats(float (&c)[4], std::uint32_t const (&a)[4],
                                              std::uint32_t const (&b)[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// Loads four 8 × 8 matrices of two bytes from shared memory: lane 8 m + r has the address of
/// row r of matrix m and gets its elements (g, 2t) and (g, 2t + 1); transposed, (2t, g) and
/// (2t + 1, g). Not to be moved: others may write there before and after.
template <bool Transposed>
__device__ void load_matrices(std::uint32_t (&m)[4], std::uint32_t address)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(address)
                 : "memory");
#endif
}

} // namespace strata::nvidia

#endif
