#include "reference.hpp"

#include "host_positions.hpp"
#include "judge.hpp"

#include "scene/mix.hpp"
#include "scene/stretches.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>
#include <span>

namespace strata::contact {

namespace {

/// Objects that all ranks know: the elements whose rows are looked at.
struct Sample
{
  Object object;
  Corners corners;
};

/// Gids of the elements whose rows are looked at, ascending.
std::vector<index_t> picked_gids(Scene const& scene, int rows)
{
  auto const all = static_cast<double>(scene.elements + scene.points);
  std::vector<index_t> gids;
  if (static_cast<double>(scene.elements) * all <= 4e8) {
    gids.resize(static_cast<std::size_t>(scene.elements));
    std::iota(gids.begin(), gids.end(), index_t{0});
    return gids;
  }
  for (int i = 0; i < rows; ++i)
    gids.push_back(
        static_cast<index_t>(hashed(0, i, 0) % static_cast<std::uint64_t>(scene.elements)));
  std::sort(gids.begin(), gids.end());
  gids.erase(std::unique(gids.begin(), gids.end()), gids.end());
  return gids;
}

/// The elements of these gids, in their order. Collective.
std::vector<Sample> gathered(Objects const& objects, std::span<index_t const> gids,
                             runtime::Communicator const& world)
{
  std::vector<Sample> mine;
  std::mutex lock;
  for_each_on_host("strata::contact samples", objects.all.size(), [&](std::size_t i) {
    auto const& object = objects.all[i];
    if (!std::binary_search(gids.begin(), gids.end(), object.gid))
      return;
    Sample const sample{object, objects.corners.empty() ? Corners{} : objects.corners[i]};
    std::scoped_lock const hold(lock);
    mine.push_back(sample);
  });
  auto samples = world.all_gather(mine).values;
  std::sort(samples.begin(), samples.end(),
            [](Sample const& a, Sample const& b) { return a.object.gid < b.object.gid; });
  return samples;
}

/// An entry of a row at the last step: with which of this rank's objects, and since when.
struct Contact
{
  std::size_t other;
  double gap;
  std::int64_t since;
};

Placed placed(Scene const& scene, Object const& object, Corners const* corners,
              Vector const& at, std::int64_t step)
{
  bool const point = object.gid >= scene.elements;
  return {&object, corners, at, body_at(object, point, step), point};
}

/// The contacts of some rows with this rank's objects at some step: all objects are looked at
/// there, and those that touch are followed back to the step since when they have.
class BruteForce
{
public:
  /// `positions`: of this rank's objects at that step.
  BruteForce(Population const& population, HostPositions const& positions,
             std::vector<Sample> const& samples, std::int64_t step, bool half_list)
      : population_(population)
      , positions_(positions)
      , samples_(samples)
      , step_(step)
      , half_list_(half_list)
      , judge_(population.scene(), population.geometry().quanta)
      , entries_(samples.size())
  {
    in_stretches("strata::contact brute rows", static_cast<index_t>(samples_.size()),
                 [&](index_t first, index_t last) {
                   look_at(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
                 });
  }
  /// What this rank has of each row.
  [[nodiscard]] std::vector<RowSum> sums() const
  {
    std::vector<RowSum> sums;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      RowSum sum{samples_[s].object.gid, 0, 0};
      for (auto const& [other, gap, since] : entries_[s]) {
        ++sum.entries;
        sum.hash += entry_hash(pair_hash(sum.gid, population_.objects().all[other].gid),
                               std::bit_cast<std::uint64_t>(gap), since);
      }
      sums.push_back(sum);
    }
    return sums;
  }

private:
  void look_at(std::size_t first, std::size_t last)
  {
    std::vector<Placed> rows;
    for (std::size_t s = first; s < last; ++s)
      rows.push_back(row_at(s, step_));
    for (std::size_t tile = 0; tile < positions_.count(); tile += HostPositions::tile)
      for (std::size_t s = first; s < last; ++s)
        for (auto const& shift : population_.images())
          positions_.for_each_near(rows[s - first], shift, tile, [&](std::size_t i) {
            meet(s, rows[s - first], i, positions_.at(i), shift);
          });
    for (std::size_t s = first; s < last; ++s)
      for (auto& entry : entries_[s])
        while (entry.since > 0 && touched(s, entry.other, entry.since - 1))
          --entry.since;
  }
  void meet(std::size_t s, Placed const& row, std::size_t i, Vector const& at,
            Vector const& shift)
  {
    index_t const gid = population_.objects().all[i].gid;
    double gap = 0;
    if (gid == row.object->gid || (half_list_ && gid < row.object->gid) ||
        !judge_.touch(row, other_at(i, at, shift, step_), gap))
      return;
    auto& entries = entries_[s];
    auto const found = std::find_if(entries.begin(), entries.end(),
                                    [&](Contact const& entry) { return entry.other == i; });
    if (found == entries.end())
      entries.push_back({i, gap, step_});
    else
      found->gap = gap; // another image of it
  }
  [[nodiscard]] bool touched(std::size_t s, std::size_t i, std::int64_t step) const
  {
    auto const row = row_at(s, step);
    auto const at = position(population_.objects().all[i], population_.scene().bounds, step);
    double gap = 0;
    return std::any_of(population_.images().begin(), population_.images().end(),
                       [&](Vector const& shift) {
                         return judge_.touch(row, other_at(i, at, shift, step), gap);
                       });
  }
  [[nodiscard]] Placed row_at(std::size_t s, std::int64_t step) const
  {
    auto const& [object, corners] = samples_[s];
    return placed(population_.scene(), object, &corners,
                  position(object, population_.scene().bounds, step), step);
  }
  [[nodiscard]] Placed other_at(std::size_t i, Vector at, Vector const& shift,
                                std::int64_t step) const
  {
    auto const& objects = population_.objects();
    for (std::size_t k = 0; k < 3; ++k)
      at[k] += shift[k];
    return placed(population_.scene(), objects.all[i],
                  objects.corners.empty() ? nullptr : &objects.corners[i], at, step);
  }

  Population const& population_;
  HostPositions const& positions_;
  std::vector<Sample> const& samples_;
  std::int64_t step_;
  bool half_list_;
  Judge judge_;
  std::vector<std::vector<Contact>> entries_;
};

} // namespace

std::vector<RowSum> brute_rows(Population const& population, runtime::Communicator const& world,
                               int rows, std::int64_t last, bool half_list, std::size_t at_once)
{
  auto const& objects = population.objects();
  auto const gids = picked_gids(population.scene(), rows);
  HostPositions positions(objects.all, population.scene());
  positions.move_to(last);
  std::vector<RowSum> all;
  for (std::span<index_t const> left(gids); !left.empty();) {
    auto const some = left.first(std::min(at_once, left.size()));
    auto const samples = gathered(objects, some, world);
    BruteForce const found(population, positions, samples, last, half_list);
    auto const sums = added_up(found.sums(), world);
    all.insert(all.end(), sums.begin(), sums.end());
    left = left.subspan(some.size());
  }
  return all;
}

} // namespace strata::contact
