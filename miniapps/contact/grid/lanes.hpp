#pragma once

#include "base/kokkos.hpp"
#include "base/lanes.hpp"
#include "base/types.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

// Eight neighbouring numbers handled at once on a host, in vector registers.

namespace strata::contact {

inline constexpr index_t lanes = 8;

KOKKOS_FUNCTION inline double value(double const* numbers, index_t i)
{
  return numbers[i];
}
KOKKOS_FUNCTION inline double magnitude(double number)
{
  return fabs(number);
}

#if defined(STRATA_LANES)

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

/// Tests of one object with several at once; near(i, j) equals near(j, i), whatever is rounded.
template <class Touch>
concept TestsLanes = requires(Touch const& touch, LaneIndex j) { touch.near(0, j); };

inline Lanes magnitude(Lanes numbers)
{
  return std::bit_cast<Lanes>(std::bit_cast<LaneMasks>(numbers) & INT64_MAX); // no sign
}

/// 0, 1, 2, ...
inline LaneMasks lane_numbers()
{
  LaneMasks numbers{};
  for (index_t k = 0; k < register_lanes; ++k)
    numbers[k] = k;
  return numbers;
}

#else

template <class Touch>
concept TestsLanes = false;

#endif

} // namespace strata::contact
