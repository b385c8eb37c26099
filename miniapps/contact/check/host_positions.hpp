#pragma once

#include "judge.hpp"

#include "scene/motion.hpp"
#include "scene/stretches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace strata::contact {

/// The positions of objects at a step, on the host, and a fast filter of those near a place,
/// for which the Judge is asked. Objects are tested in chunks without a branch per object.
class HostPositions
{
public:
  static constexpr std::size_t chunk = 64;        ///< looked at together
  static constexpr std::size_t tile = 64 * chunk; ///< that a core's cache keeps for some rows

  HostPositions(std::vector<Object> const& objects, Scene const& scene)
      : objects_(objects)
      , scene_(scene)
      , largest_(largest_of("strata::contact largest half", count(),
                            [&](std::size_t i) { return largest_half(objects_[i]); }))
  {
    // What fills the last chunk is near nothing.
    for (auto& numbers : at_)
      numbers.assign((count() + chunk - 1) / chunk * chunk, HUGE_VAL);
  }
  [[nodiscard]] std::size_t count() const { return objects_.size(); }

  void move_to(std::int64_t step)
  {
    for_each_on_host("strata::contact host positions", count(), [&](std::size_t i) {
      auto const at = position(objects_[i], scene_.bounds, step);
      for (std::size_t k = 0; k < 3; ++k)
        at_[k][i] = at[k];
    });
  }
  [[nodiscard]] Vector at(std::size_t i) const { return {at_[0][i], at_[1][i], at_[2][i]}; }

  /// Calls f(i) for the objects in [first, first + tile) that, shifted, may touch `row` by the
  /// Judge, and for some others nearby; `first` is a multiple of the chunk.
  template <class F>
  void for_each_near(Placed const& row, Vector const& shift, std::size_t first,
                     F const& f) const
  {
    auto const margins = margins_of(row, shift);
    std::size_t const last = std::min(first + tile, at_[0].size());
    for (std::size_t i = first; i < last; i += chunk) {
      if (!any_within(margins, i))
        continue;
      for (std::size_t k = i; k < i + chunk; ++k)
        if (outside(margins, k) >= 0)
          f(k);
    }
  }

private:
  /// How far inside `limit` a coordinate is, as a word whose sign is set where it is outside.
  struct Margin
  {
    double shift, at, limit;
    [[nodiscard]] std::int64_t operator()(double x) const
    {
      return std::bit_cast<std::int64_t>(limit - std::abs(x + shift - at));
    }
  };
  using Margins = std::array<Margin, 3>;

  static double largest_half(Object const& object)
  {
    return std::max({object.half[0], object.half[1], object.half[2]});
  }
  /// Two objects touch only if their distance along every axis is at most the sum of their half
  /// extents and the gap. The limit is 2^-16 larger, relatively: the Judge allows 2^-20 for
  /// rounding, and the rounding of the sum is far smaller.
  [[nodiscard]] Margins margins_of(Placed const& row, Vector const& shift) const
  {
    double const reach = largest_half(*row.object) + largest_ + std::abs(scene_.gap);
    double const limit = reach * (1 + 0x1p-16);
    return {{{shift[0], row.at[0], limit},
             {shift[1], row.at[1], limit},
             {shift[2], row.at[2], scene_.dim == 2 ? HUGE_VAL : limit}}};
  }
  [[nodiscard]] std::int64_t outside(Margins const& margins, std::size_t i) const
  {
    return margins[0](at_[0][i]) | margins[1](at_[1][i]) | margins[2](at_[2][i]);
  }
  [[nodiscard]] bool any_within(Margins const& margins, std::size_t first) const
  {
    auto const [along_x, along_y, along_z] = margins;
    double const* const x = at_[0].data() + first;
    double const* const y = at_[1].data() + first;
    double const* const z = at_[2].data() + first;
    std::int64_t within = 0;
    for (std::size_t k = 0; k < chunk; ++k)
      within |= ~(along_x(x[k]) | along_y(y[k]) | along_z(z[k]));
    return within < 0;
  }

  std::vector<Object> const& objects_;
  Scene const& scene_;
  double largest_;
  std::array<std::vector<double>, 3> at_;
};

} // namespace strata::contact
