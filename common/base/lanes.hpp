#pragma once

#include "types.hpp"

#include <cstdint>

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__) &&                        \
    !defined(__SYCL_DEVICE_ONLY__)
#define STRATA_LANES
#endif

namespace strata {

/// Size of a host's vector register; the widest where a device is compiled for, too, since both
/// must see the same.
#if !defined(STRATA_LANES) || defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

#if defined(STRATA_LANES)

/// Doubles of a vector on which comparisons are done: one register of them with AVX2, else two
/// of them. GCC 12 splits comparisons of wider vectors into scalars, and AVX alone has no
/// 64-bit integer comparison.
#if defined(__AVX2__)
inline constexpr index_t register_lanes = register_bytes / sizeof(double);
#else
inline constexpr index_t register_lanes = 2;
#endif

// NOLINTBEGIN(modernize-use-using): an attribute on an alias is another type's
typedef double Lanes __attribute__((vector_size(register_lanes * sizeof(double))));
typedef std::int64_t LaneMasks __attribute__((vector_size(register_lanes * sizeof(double))));
// NOLINTEND(modernize-use-using)

#endif

} // namespace strata
