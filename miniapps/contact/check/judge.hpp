#pragma once

#include "grid/geometry.hpp"
#include "scene/objects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

// The reference test of two objects, independent of the kernels' test.

namespace strata::contact {

/// An object at some step, with its image's shift.
struct Placed
{
  Object const* object;
  Corners const* corners; ///< null but for simplices
  Vector at;
  index_t body;
  bool point;
};

/// The test of two objects, exact in 64-bit integers where the scene is exact. Elsewhere it
/// rounds as the kernels do, and checks what they find, not how.
class Judge
{
public:
  Judge(Scene const& scene, Quanta const& quanta)
      : scene_(scene)
      , quanta_(quanta)
  {
  }
  /// Whether b is an entry of row a, and its gap.
  [[nodiscard]] bool touch(Placed const& a, Placed const& b, double& gap) const
  {
    if (a.body == b.body || b.body < 0)
      return false;
    double separation = -HUGE_VAL;
    std::size_t const axes = static_cast<std::size_t>(scene_.dim);
    bool const sphere = scene_.shape == Shape::sphere;
    for (std::size_t k = 0; k < axes; ++k) {
      double const reach = a.object->half[sphere ? 0 : k] + b.object->half[sphere ? 0 : k];
      double const apart = std::abs(a.at[k] - b.at[k]) - reach;
      // d² of rounded coordinates may be that of touching where d along an axis is just beyond.
      double const rounding = sphere && !scene_.exact ? (reach + scene_.gap) * 0x1p-20 : 0;
      if (apart > scene_.gap + rounding)
        return false;
      separation = std::max(separation, apart);
    }
    if (sphere)
      return touch_spheres(a, b, gap);
    if (scene_.shape == Shape::simplex && b.point)
      return contains(a, b, gap);
    gap = rounded(separation, quanta_.length);
    return true;
  }

private:
  [[nodiscard]] static double rounded(double value, Quantum const& quantum)
  {
    return std::nearbyint(value / quantum.size) * quantum.size + 0.0; // never −0
  }
  [[nodiscard]] bool touch_spheres(Placed const& a, Placed const& b, double& gap) const
  {
    double const radii = a.object->half[0] + b.object->half[0];
    double square = 0;
    if (scene_.exact) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        auto const d = static_cast<std::int64_t>(a.at[k] - b.at[k]);
        sum += d * d;
      }
      auto const reach = static_cast<std::int64_t>(radii + scene_.gap);
      if (sum > reach * reach)
        return false;
      square = static_cast<double>(sum);
    } else {
      for (std::size_t k = 0; k < 3; ++k)
        square += (b.at[k] - a.at[k]) * (b.at[k] - a.at[k]);
      double const reach = radii + scene_.gap;
      if (square > reach * reach)
        return false;
    }
    gap = rounded(std::sqrt(square) - radii, quanta_.length);
    return true;
  }
  /// By Cramer's rule on the matrix of edges, in one fixed order of the corners for each sign.
  [[nodiscard]] bool contains(Placed const& element, Placed const& point, double& gap) const
  {
    auto const n = static_cast<std::size_t>(scene_.dim);
    auto const& corners = *element.corners;
    for (std::size_t c = 0; c <= n; ++c)
      if (corners.point[c] == point.object->gid)
        return false;
    double const apart[3] = {point.at[0] - element.at[0], point.at[1] - element.at[1],
                             point.at[2] - element.at[2]};
    double const smallest = coordinate(apart, corners.offset);
    gap = rounded(smallest, quanta_.coordinate);
    return smallest >= 0;
  }
  /// The smallest barycentric coordinate.
  [[nodiscard]] double coordinate(double const (&apart)[3],
                                  std::array<Vector, 4> const& corner) const
  {
    if (!scene_.exact) {
      double numbers[12];
      std::memcpy(numbers, corner.data(), sizeof(numbers));
      return scene_.dim == 2 ? smallest_coordinate<2>(apart, numbers)
                             : smallest_coordinate<3>(apart, numbers);
    }
    double smallest = HUGE_VAL;
    double const whole = volume(corner);
    auto const n = static_cast<std::size_t>(scene_.dim);
    for (std::size_t c = 0; c <= n; ++c) {
      auto moved = corner;
      std::copy(apart, apart + n, moved[c].begin());
      smallest = std::min(smallest, volume(moved) / whole);
    }
    return smallest;
  }
  [[nodiscard]] double volume(std::array<Vector, 4> const& v) const
  {
    auto const edge = [&](std::size_t c, std::size_t k) { return v[c][k] - v[0][k]; };
    if (scene_.dim == 2)
      return edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0);
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      std::size_t const l = (k + 1) % 3;
      std::size_t const m = (k + 2) % 3;
      sum += edge(1, k) * (edge(2, l) * edge(3, m) - edge(2, m) * edge(3, l));
    }
    return sum;
  }

  Scene const& scene_;
  Quanta quanta_;
};

} // namespace strata::contact
