#include "population.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "scene/stretches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace strata::contact {

namespace {

/// 2^exponent, or 2^-1000 if that is larger, so that the inverse is finite.
Quantum quantum_of(int exponent)
{
  int const bounded = std::max(exponent, -1000);
  return {std::ldexp(1.0, bounded), std::ldexp(1.0, -bounded)};
}

/// Gaps are multiples of 2^-30 of the reach's binary magnitude, so that rows of up to 2^20
/// entries have exact sums in double precision. Where rows have `coordinates` among their gaps,
/// both kinds have fewer binary digits, the further their magnitudes are apart, for the same
/// sums; but no fewer than 16, which leaves 2^10 entries at 2^26 (see check_objects).
Quanta quanta_for(double reach, bool coordinates)
{
  int const magnitude = reach > 0 ? std::ilogb(reach) : 0;
  int const digits = coordinates ? std::clamp(32 - std::abs(magnitude), 16, 30) : 30;
  auto const length = quantum_of(magnitude - digits);
  return {length, coordinates ? quantum_of(-digits) : length};
}

} // namespace

Population::Population(Objects own, Scene const& scene, driver::Setting const& setting)
    : scene_(scene)
    , objects_(std::move(own))
    , world_(setting.world)
    , exchange_(setting.world, setting.gpu_aware)
    , halves_(scene.shape == Shape::sphere ? 1 : 3)
{
  number();
  double largest = 0;
  std::mutex lock;
  in_stretches("strata::contact census", own_, [&](index_t first, index_t last) {
    bool bonded = false;
    double half = 0;
    for (index_t i = first; i < last; ++i) {
      auto const& object = objects_.all[static_cast<std::size_t>(i)];
      bonded = bonded || object.body != object.gid || object.breaks != Object::never;
      for (int k = 0; k < (scene_.shape == Shape::sphere ? 1 : scene_.dim); ++k)
        half = std::max(half, object.half[static_cast<std::size_t>(k)]);
    }
    std::scoped_lock const hold(lock);
    bonded_ = bonded_ || bonded;
    largest = std::max(largest, half);
  });
  bonded_ = world_.any(bonded_) || scene_.points > 0;
  reach_ = std::max(0.0, 2 * world_.max(largest) + scene_.gap);
  quanta_ = quanta_for(reach_, scene_.shape == Shape::simplex && scene_.points > 0);
  demand_room(reach_);
  choose_images();
  upload();
  move_to(0);
}

void Population::demand_room(double reach) const
{
  if (scene_.bounds.kind != Bounds::Kind::periodic)
    return;
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k) {
    double const edge = scene_.bounds.high[k] - scene_.bounds.low[k];
    if (edge <= 2 * reach)
      throw Error(Exit::deck, "the periodic box is " + text::number(edge) +
                                  " units wide and objects " + text::number(reach) +
                                  " apart are looked at: some would meet twice, round the box; "
                                  "take more elements, or smaller reach and skin");
  }
}

/// Counts own elements and points; drops ghosts.
void Population::number()
{
  own_ = static_cast<index_t>(objects_.all.size());
  STRATA_CHECK(own_ <= std::numeric_limits<std::int32_t>::max(),
               "one rank has more than 2^31-1 objects; use more ranks");
  auto const points =
      std::partition_point(objects_.all.begin(), objects_.all.end(),
                           [this](Object const& o) { return o.gid < scene_.elements; });
  rows_ = points - objects_.all.begin();
  ghosts_ = 0;
  sending_.clear();
  receiving_.clear();
}

void Population::adopt(Objects own)
{
  if (!home_)
    home_ = std::move(objects_);
  objects_ = std::move(own);
  number();
  upload();
  move_to(step_);
}

void Population::start_over()
{
  if (home_) {
    objects_ = std::move(*home_);
    home_.reset();
    number();
    upload();
  }
  move_to(0);
}

void Population::choose_images()
{
  images_ = {Vector{}};
  if (scene_.bounds.kind != Bounds::Kind::periodic)
    return;
  for (std::size_t k = 0; k < static_cast<std::size_t>(scene_.dim); ++k) {
    auto const so_far = images_;
    for (double const side : {-1.0, 1.0})
      for (auto shift : so_far) {
        shift[k] = side * (scene_.bounds.high[k] - scene_.bounds.low[k]);
        images_.push_back(shift);
      }
  }
}

void Population::upload()
{
  auto const each = [this](auto& column, auto const& value) {
    column.make(own_, [&](std::size_t i) { return value(objects_.all[i]); });
  };
  constexpr double everywhere = 0x1p41; // what has no third dimension meets all along it
  for (std::size_t k = 0; k < 3; ++k) {
    each(start_[k], [k](Object const& o) { return o.at[k]; });
    each(velocity_[k], [k](Object const& o) { return o.velocity[k]; });
    each(after_[k], [k](Object const& o) { return o.after[k]; });
    bool const flat = k == 2 && scene_.dim == 2;
    if (static_cast<int>(k) < halves_)
      each(half_[k], [&](Object const& o) { return flat ? everywhere : o.half[k]; });
    at_[k].reserve(own_);
  }
  each(gid_, [](Object const& o) { return o.gid; });
  each(group_, [](Object const& o) { return o.body; });
  each(breaks_, [](Object const& o) { return static_cast<std::int32_t>(o.breaks); });
  body_.reserve(own_);
  if (scene_.shape != Shape::simplex)
    return;
  corner_.make(12 * own_, [this](std::size_t i) {
    return objects_.corners[i / 12].offset[i % 12 / 3][i % 3];
  });
  point_.make(4 * own_, [this](std::size_t i) { return objects_.corners[i / 4].point[i % 4]; });
}

Geometry Population::geometry() const
{
  Geometry in;
  for (int k = 0; k < 3; ++k) {
    in.at[k] = at_[k].data();
    in.half[k] = half_[k].data();
  }
  in.gid = gid_.data();
  in.body = body_.data();
  in.corner = corner_.data();
  in.point = point_.data();
  in.elements = scene_.elements;
  in.gap = scene_.gap;
  in.quanta = quanta_;
  in.bonded = bonded_;
  return in;
}

index_t Population::bytes() const
{
  index_t sum = breaks_.bytes() + group_.bytes() + gid_.bytes() + body_.bytes() +
                corner_.bytes() + point_.bytes() + source_.bytes() + image_.bytes() +
                outbox_.bytes() + inbox_.bytes();
  for (std::size_t k = 0; k < 3; ++k)
    sum += start_[k].bytes() + velocity_[k].bytes() + after_[k].bytes() + at_[k].bytes() +
           last_[k].bytes() + half_[k].bytes();
  return sum;
}

} // namespace strata::contact
