#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstdint>
#include <cstring>

// Eight neighbouring numbers handled at once on a host, in vector registers of the width that
// there is: GCC 12 takes comparisons of wider vectors apart.

namespace strata::contact {

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__) &&                        \
    !defined(__SYCL_DEVICE_ONLY__)
#define STRATA_CONTACT_LANES
#endif

inline constexpr index_t lanes = 8;

KOKKOS_FUNCTION inline double value(double const* numbers, index_t i)
{
  return numbers[i];
}

#if defined(STRATA_CONTACT_LANES)

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

/// Names register_lanes neighbouring indices.
struct LaneIndex
{
  index_t first;
};

inline Lanes value(double const* numbers, LaneIndex i)
{
  Lanes some;
  std::memcpy(&some, numbers + i.first, sizeof(some));
  return some;
}

/// 0, 1, 2, ...
inline LaneMasks lane_numbers()
{
  LaneMasks numbers{};
  for (index_t k = 0; k < register_lanes; ++k)
    numbers[k] = k;
  return numbers;
}

#endif

} // namespace strata::contact
