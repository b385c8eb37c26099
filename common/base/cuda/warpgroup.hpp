#pragma once

#include <cstdint>

// Products of matrices of two-byte numbers in shared memory by a warp group, four warps, on the
// tensor cores of an NVIDIA GPU that runs code for compute capability 9.0a (PTX: wgmma). Needs
// no Kokkos; empty without CUDA.

#if defined(__CUDACC__)

namespace strata::nvidia {

/// Where a matrix lies in shared memory, as copies with CU_TENSOR_MAP_SWIZZLE_128B leave it: in
/// lines of 128 bytes, the first of eight on 1,024 bytes; vector v of 16 bytes of line l is
/// stored as vector v xor (l mod 8). Lines are along k; of a matrix whose lines are across k,
/// each has 64 rows or columns, and blocks of so many are `block_bytes` apart.
__device__ inline std::uint64_t matrix_descriptor(std::uint32_t shared, int block_bytes)
{
  constexpr std::uint64_t eight_lines = 1024 / 16;
  constexpr std::uint64_t swizzle_128 = 1;
  return (shared & 0x3ffffU) / 16 | static_cast<std::uint64_t>(block_bytes / 16) << 16 |
         eight_lines << 32 | swizzle_128 << 62;
}
/// The descriptor of the same matrix `bytes` further on.
__device__ inline std::uint64_t advanced(std::uint64_t descriptor, int bytes)
{
  return descriptor + static_cast<std::uint64_t>(bytes / 16);
}

/// Lets products see what this thread has written to their sums.
__device__ inline void begin_products()
{
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Ends a group of products: those that were started since the last group.
__device__ inline void end_products()
{
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until this warp group's groups have ended, but for the last `Left`.
template <int Left>
__device__ void await_products()
{
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}

/// Keeps sums where they are until here: of instructions that run on, the compiler does not
/// know when they end.
template <int Count>
__device__ void hold(float (&sums)[Count])
{
#pragma unroll
  for (int i = 0; i < Count; ++i)
    asm volatile("" : "+f"(sums[i])::"memory");
}

/// Registers a thread of the calling warp group has from here on, a multiple of 8: fewer than
/// before, or more.
template <int Registers>
__device__ void give_registers()
{
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ void take_registers()
{
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

// The operands of an instruction that a loop cannot write.
#define STRATA_SUMS_NAMED                                                                      \
  "{%0, %1, %2, %3, %4, %5, %6, %7, "                                                          \
  "%8, %9, %10, %11, %12, %13, %14, %15, "                                                     \
  "%16, %17, %18, %19, %20, %21, %22, %23, "                                                   \
  "%24, %25, %26, %27, %28, %29, %30, %31, "                                                   \
  "%32, %33, %34, %35, %36, %37, %38, %39, "                                                   \
  "%40, %41, %42, %43, %44, %45, %46, %47, "                                                   \
  "%48, %49, %50, %51, %52, %53, %54, %55, "                                                   \
  "%56, %57, %58, %59, %60, %61, %62, %63, "                                                   \
  "%64, %65, %66, %67, %68, %69, %70, %71, "                                                   \
  "%72, %73, %74, %75, %76, %77, %78, %79, "                                                   \
  "%80, %81, %82, %83, %84, %85, %86, %87, "                                                   \
  "%88, %89, %90, %91, %92, %93, %94, %95, "                                                   \
  "%96, %97, %98, %99, %100, %101, %102, %103, "                                               \
  "%104, %105, %106, %107, %108, %109, %110, %111, "                                           \
  "%112, %113, %114, %115, %116, %117, %118, %119, "                                           \
  "%120, %121, %122, %123, %124, %125, %126, %127}"
#define STRATA_4_SUMS(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define STRATA_32_SUMS(i)                                                                      \
  STRATA_4_SUMS(i), STRATA_4_SUMS(i + 4), STRATA_4_SUMS(i + 8), STRATA_4_SUMS(i + 12),         \
      STRATA_4_SUMS(i + 16), STRATA_4_SUMS(i + 20), STRATA_4_SUMS(i + 24),                     \
      STRATA_4_SUMS(i + 28)
#define STRATA_ADD_PRODUCT(TYPE)                                                               \
  asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %130, 0;\n"                               \
               "wgmma.mma_async.sync.aligned.m64n256k16.f32." TYPE "." TYPE                    \
               " " STRATA_SUMS_NAMED ", %128, %129, adds, 1, 1, 0, %131; }"                    \
               : STRATA_32_SUMS(0), STRATA_32_SUMS(32), STRATA_32_SUMS(64), STRATA_32_SUMS(96) \
               : "l"(a), "l"(b), "r"(static_cast<int>(adds)), "n"(Across))

/// Starts C += A B in floats (C = A B unless it `adds`), where A is 64 × 16 with rows along k,
/// B 16 × 256 with columns along k or, Across, rows along lines; of IEEE 754's binary16 or,
/// Bfloat, of bfloat16. A lane of warp w of the group has g = lane / 4 and t = lane % 4; it
/// holds C(16 w + g + 8 h, 8 n + 2 t + s) in c[4 n + 2 h + s].
template <bool Bfloat, bool Across>
__device__ void add_product_of_group(float (&c)[128], std::uint64_t a, std::uint64_t b,
                                     bool adds)
{
  if constexpr (Bfloat)
    STRATA_ADD_PRODUCT("bf16");
  else
    STRATA_ADD_PRODUCT("f16");
}

#undef STRATA_SUMS_NAMED
#undef STRATA_4_SUMS
#undef STRATA_32_SUMS
#undef STRATA_ADD_PRODUCT

} // namespace strata::nvidia

#endif
