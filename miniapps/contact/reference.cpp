#include "reference.hpp"

#include "geometry.hpp"
#include "mix.hpp"
#include "motion.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace strata::contact {

namespace {

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
  explicit Judge(Scene const& scene, double quantum)
      : scene_(scene)
      , quantum_(quantum)
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
    gap = quantised(separation);
    return true;
  }

private:
  [[nodiscard]] double quantised(double value) const
  {
    return std::nearbyint(value / quantum_) * quantum_ + 0.0; // never −0
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
    gap = quantised(std::sqrt(square) - radii);
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
    gap = quantised(smallest);
    return smallest >= -scene_.inflation;
  }
  /// The smallest barycentric coordinate.
  [[nodiscard]] double coordinate(double const (&apart)[3],
                                  std::array<Vector, 4> const& corner) const
  {
    if (!scene_.exact) {
      double numbers[12];
      std::memcpy(numbers, corner.data(), sizeof(numbers));
      return scene_.dim == 2 ? TouchingSimplices<2>::smallest_coordinate(apart, numbers)
                             : TouchingSimplices<3>::smallest_coordinate(apart, numbers);
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
  double quantum_;
};

/// Objects that all ranks know: the elements whose rows are looked at.
struct Sample
{
  Object object;
  Corners corners;
};

std::vector<Sample> sampled(Population const& population, runtime::Communicator const& world,
                            int rows)
{
  auto const elements = population.scene().elements;
  auto const all = static_cast<double>(elements + population.scene().points);
  bool const every = static_cast<double>(elements) * all <= 4e8;
  std::unordered_set<index_t> picked;
  for (int i = 0; !every && i < rows; ++i)
    picked.insert(static_cast<index_t>(hashed(0, i, 0) % static_cast<std::uint64_t>(elements)));
  auto const& objects = population.objects();
  std::string mine;
  for (std::size_t i = 0; i < objects.all.size(); ++i) {
    auto const& object = objects.all[i];
    if (object.gid >= elements || (!every && !picked.contains(object.gid)))
      continue;
    Sample const sample{object, objects.corners.empty() ? Corners{} : objects.corners[i]};
    mine.append(reinterpret_cast<char const*>(&sample), sizeof(sample));
  }
  std::vector<Sample> samples;
  for (auto const& bytes : world.all_gather(mine)) {
    auto const count = bytes.size() / sizeof(Sample);
    auto const before = samples.size();
    samples.resize(before + count);
    std::memcpy(samples.data() + before, bytes.data(), bytes.size());
  }
  std::sort(samples.begin(), samples.end(),
            [](Sample const& a, Sample const& b) { return a.object.gid < b.object.gid; });
  return samples;
}

/// The contacts of one row with this rank's objects so far: by gid, since when and the gap.
struct Held
{
  std::int64_t since;
  std::int64_t seen;
  double gap;
};
using History = std::unordered_map<index_t, Held>;

Placed placed(Scene const& scene, Object const& object, Corners const* corners,
              std::int64_t step)
{
  bool const point = object.gid >= scene.elements;
  return {&object, corners, position(object, scene.bounds, step), body_at(object, point, step),
          point};
}

} // namespace

std::uint64_t entry_hash(std::uint64_t pair, std::uint64_t gap_bits, std::int64_t born)
{
  return mix(pair + mix(gap_bits) + static_cast<std::uint64_t>(born));
}

std::vector<RowSum> brute_rows(Population const& population, runtime::Communicator const& world,
                               int rows, std::int64_t last, bool half_list)
{
  auto const& scene = population.scene();
  auto const& objects = population.objects();
  Judge const judge(scene, population.geometry().quantum);
  auto const samples = sampled(population, world, rows);
  std::vector<History> histories(samples.size());
  for (std::int64_t step = 0; step <= last; ++step) {
    std::vector<Placed> mine;
    for (std::size_t i = 0; i < objects.all.size(); ++i)
      mine.push_back(placed(scene, objects.all[i],
                            objects.corners.empty() ? nullptr : &objects.corners[i], step));
    for (std::size_t s = 0; s < samples.size(); ++s) {
      auto const& sample = samples[s];
      auto const row = placed(scene, sample.object, &sample.corners, step);
      for (auto const& shift : population.images())
        for (auto other : mine) {
          index_t const gid = other.object->gid;
          if (gid == sample.object.gid || (half_list && gid < sample.object.gid))
            continue;
          for (std::size_t k = 0; k < 3; ++k)
            other.at[k] += shift[k];
          double gap = 0;
          if (!judge.touch(row, other, gap))
            continue;
          auto const [found, added] = histories[s].try_emplace(gid, Held{step, step, gap});
          if (!added && found->second.seen < step - 1)
            found->second.since = step;
          found->second.seen = step;
          found->second.gap = gap;
        }
    }
  }
  std::vector<RowSum> sums;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    RowSum sum{samples[s].object.gid, 0, 0};
    for (auto const& [gid, held] : histories[s])
      if (held.seen == last) {
        ++sum.entries;
        sum.hash += entry_hash(pair_hash(sum.gid, gid), std::bit_cast<std::uint64_t>(held.gap),
                               held.since);
      }
    sums.push_back(sum);
  }
  std::string const bytes(reinterpret_cast<char const*>(sums.data()),
                          sums.size() * sizeof(RowSum));
  std::vector<RowSum> total;
  for (auto const& theirs : world.all_gather(bytes)) {
    std::vector<RowSum> part(theirs.size() / sizeof(RowSum));
    std::memcpy(part.data(), theirs.data(), theirs.size());
    if (total.empty())
      total = std::move(part);
    else
      for (std::size_t s = 0; s < part.size(); ++s) {
        total[s].entries += part[s].entries;
        total[s].hash += part[s].hash;
      }
  }
  return total;
}

} // namespace strata::contact
