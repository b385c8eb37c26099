#pragma once

#include "types.hpp"

#include <cstdint>

// Doubles in a host's vector register, of the width that there is: GCC 12 takes comparisons of
// wider vectors apart.

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__) &&                        \
    !defined(__SYCL_DEVICE_ONLY__)
#define STRATA_LANES

namespace strata {

#if defined(__AVX512F__)
inline constexpr index_t register_lanes = 8;
#elif defined(__AVX2__)
inline constexpr index_t register_lanes = 4;
#else
inline constexpr index_t register_lanes = 2;
#endif

// NOLINTBEGIN(modernize-use-using): an attribute on an alias is another type's
typedef double Lanes __attribute__((vector_size(register_lanes * sizeof(double))));
typedef std::int64_t LaneMasks __attribute__((vector_size(register_lanes * sizeof(double))));
// NOLINTEND(modernize-use-using)

/// Size of a host's vector register.
inline constexpr int register_bytes = sizeof(Lanes);

} // namespace strata

#else

namespace strata {

/// Not known: as the widest.
inline constexpr int register_bytes = 64;

} // namespace strata

#endif
