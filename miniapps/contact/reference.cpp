#include "reference.hpp"

#include "host_positions.hpp"
#include "judge.hpp"
#include "mix.hpp"
#include "stretches.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace strata::contact {

namespace {

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
  std::mutex lock;
  for_each_on_host("strata::contact samples", objects.all.size(), [&](std::size_t i) {
    auto const& object = objects.all[i];
    if (object.gid >= elements || (!every && !picked.contains(object.gid)))
      return;
    Sample const sample{object, objects.corners.empty() ? Corners{} : objects.corners[i]};
    std::scoped_lock const hold(lock);
    mine.append(reinterpret_cast<char const*>(&sample), sizeof(sample));
  });
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
              Vector const& at, std::int64_t step)
{
  bool const point = object.gid >= scene.elements;
  return {&object, corners, at, body_at(object, point, step), point};
}

/// The contacts of some rows with this rank's objects, step by step.
class Histories
{
public:
  Histories(Population const& population, std::vector<Sample> const& samples, bool half_list)
      : population_(population)
      , samples_(samples)
      , half_list_(half_list)
      , judge_(population.scene(), population.geometry().quantum)
      , positions_(population.objects().all, population.scene())
      , held_(samples.size())
  {
  }
  [[nodiscard]] History const& of(std::size_t sample) const { return held_[sample]; }

  void look_at(std::int64_t step)
  {
    positions_.move_to(step);
    in_stretches("strata::contact brute rows", static_cast<index_t>(samples_.size()),
                 [&](index_t first, index_t last) {
                   look_at(step, static_cast<std::size_t>(first),
                           static_cast<std::size_t>(last));
                 });
  }

private:
  void look_at(std::int64_t step, std::size_t first, std::size_t last)
  {
    auto const& scene = population_.scene();
    std::vector<Placed> rows;
    for (std::size_t s = first; s < last; ++s) {
      auto const& sample = samples_[s];
      rows.push_back(placed(scene, sample.object, &sample.corners,
                            position(sample.object, scene.bounds, step), step));
    }
    for (std::size_t tile = 0; tile < positions_.count(); tile += HostPositions::tile)
      for (std::size_t s = first; s < last; ++s)
        for (auto const& shift : population_.images())
          positions_.for_each_near(rows[s - first], shift, tile, [&](std::size_t i) {
            look_at(step, rows[s - first], i, shift, held_[s]);
          });
  }
  void look_at(std::int64_t step, Placed const& row, std::size_t i, Vector const& shift,
               History& history) const
  {
    auto const& objects = population_.objects();
    index_t const gid = objects.all[i].gid;
    if (gid == row.object->gid || (half_list_ && gid < row.object->gid))
      return;
    auto other =
        placed(population_.scene(), objects.all[i],
               objects.corners.empty() ? nullptr : &objects.corners[i], positions_.at(i), step);
    for (std::size_t k = 0; k < 3; ++k)
      other.at[k] += shift[k];
    double gap = 0;
    if (!judge_.touch(row, other, gap))
      return;
    auto const [found, added] = history.try_emplace(gid, Held{step, step, gap});
    if (!added && found->second.seen < step - 1)
      found->second.since = step;
    found->second.seen = step;
    found->second.gap = gap;
  }

  Population const& population_;
  std::vector<Sample> const& samples_;
  bool half_list_;
  Judge judge_;
  HostPositions positions_;
  std::vector<History> held_;
};

} // namespace

std::uint64_t entry_hash(std::uint64_t pair, std::uint64_t gap_bits, std::int64_t born)
{
  return mix(pair + mix(gap_bits) + static_cast<std::uint64_t>(born));
}

std::vector<RowSum> brute_rows(Population const& population, runtime::Communicator const& world,
                               int rows, std::int64_t last, bool half_list)
{
  auto const samples = sampled(population, world, rows);
  Histories histories(population, samples, half_list);
  for (std::int64_t step = 0; step <= last; ++step)
    histories.look_at(step);
  std::vector<RowSum> sums;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    RowSum sum{samples[s].object.gid, 0, 0};
    for (auto const& [gid, held] : histories.of(s))
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
