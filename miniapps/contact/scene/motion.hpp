#pragma once

#include "objects.hpp"

#include "base/kokkos.hpp"

namespace strata::contact {

/// The coordinate reflected into [low, high]; exact for integers.
KOKKOS_FUNCTION inline double reflected(double x, double low, double high)
{
  double const width = high - low;
  if (!(width > 0))
    return low;
  double const turns = floor((x - low) / (2 * width));
  double const rest = x - low - turns * 2 * width;
  return low + (rest <= width ? rest : 2 * width - rest);
}

/// The coordinate wrapped into [low, high).
KOKKOS_FUNCTION inline double wrapped(double x, double low, double high)
{
  double const width = high - low;
  if (!(width > 0))
    return x;
  return x - floor((x - low) / width) * width;
}

KOKKOS_FUNCTION inline double in_bounds(double x, Bounds::Kind kind, double low, double high)
{
  if (kind == Bounds::Kind::walls)
    return reflected(x, low, high);
  return kind == Bounds::Kind::periodic ? wrapped(x, low, high) : x;
}

/// Where an object is at a step.
inline Vector position(Object const& object, Bounds const& bounds, std::int64_t step)
{
  auto const before = static_cast<double>(step < object.breaks ? step : object.breaks);
  double const after = static_cast<double>(step) - before;
  Vector at{};
  for (std::size_t k = 0; k < 3; ++k)
    at[k] = in_bounds(object.at[k] + object.velocity[k] * before + object.after[k] * after,
                      bounds.kind, bounds.low[k], bounds.high[k]);
  return at;
}

/// The body of an object at a step: −1 for a point that does not exist yet, an odd number for
/// an object that has broken off.
inline index_t body_at(Object const& object, bool point, std::int64_t step)
{
  if (step >= object.breaks)
    return 2 * object.gid + 1;
  return point ? -1 : 2 * object.body;
}

} // namespace strata::contact
