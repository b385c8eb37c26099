#include "decompose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace strata::contact {

namespace {

/// A place that moves towards its rank, and what it carries.
template <class Load>
struct Traveller
{
  Vector at;
  double weight;
  Load load;
};

/// Where an object is: its rank and its place there.
struct Home
{
  std::int64_t rank;
  std::int64_t place;
};

struct Cornered
{
  Object object;
  Corners corners;
};

/// What lies at or above `at` goes to the upper ranks.
struct Cut
{
  std::size_t axis = 0;
  double at = 0;
};

constexpr std::size_t bins = 64;
constexpr int refinements = 5; ///< 64^5 places for a cut

/// The longest side of the box around all travellers: the cut at its low end, and its high end.
template <class Load>
std::pair<Cut, double> longest_side(std::vector<Traveller<Load>> const& mine,
                                    runtime::Communicator const& group)
{
  std::vector<double> bounds(6, -HUGE_VAL);
  for (auto const& one : mine)
    for (std::size_t k = 0; k < 3; ++k) {
      bounds[k] = std::max(bounds[k], -one.at[k]);
      bounds[3 + k] = std::max(bounds[3 + k], one.at[k]);
    }
  bounds = group.max(bounds);
  Cut low;
  double high = 0;
  double longest = -1;
  for (std::size_t k = 0; k < 3; ++k)
    if (double const length = bounds[3 + k] + bounds[k]; length > longest) {
      longest = length;
      low = {k, -bounds[k]};
      high = bounds[3 + k];
    }
  return {low, high};
}

/// Halves the group's weight as `lower` of its ranks are to all of them.
template <class Load>
Cut cut_of(std::vector<Traveller<Load>> const& mine, int lower,
           runtime::Communicator const& group)
{
  auto [cut, high] = longest_side(mine, group);
  double total = 0;
  for (auto const& one : mine)
    total += one.weight;
  double const aim = group.sum(total) * lower / group.ranks();
  double below = 0;
  for (int i = 0; i < refinements && high > cut.at; ++i) {
    std::vector<double> histogram(bins, 0);
    for (auto const& one : mine) {
      double const x = one.at[cut.axis];
      if (x < cut.at || x > high)
        continue; // counted before
      double const bin = (x - cut.at) / (high - cut.at) * bins;
      histogram[std::min(static_cast<std::size_t>(bin), bins - 1)] += one.weight;
    }
    histogram = group.sum(histogram);
    std::size_t bin = 0;
    while (bin + 1 < bins && below + histogram[bin] <= aim)
      below += histogram[bin++];
    double const width = (high - cut.at) / bins;
    high = cut.at + width * static_cast<double>(bin + 1);
    cut.at += width * static_cast<double>(bin);
  }
  return cut;
}

/// Hands the travellers to the half that they belong to, evenly over its ranks: each rank gives
/// a stretch of the half's, which few ranks share.
template <class Load>
std::vector<Traveller<Load>> in_halves(std::vector<Traveller<Load>> const& mine, Cut const& cut,
                                       int lower, runtime::Communicator const& group)
{
  std::array<std::vector<Traveller<Load>>, 2> halves;
  for (auto const& one : mine)
    halves[one.at[cut.axis] < cut.at ? 0 : 1].push_back(one);
  std::vector<std::vector<Traveller<Load>>> parts(static_cast<std::size_t>(group.ranks()));
  for (std::size_t h = 0; h < halves.size(); ++h) {
    auto const count = static_cast<std::int64_t>(halves[h].size());
    auto const ranks = std::int64_t{h == 0 ? lower : group.ranks() - lower};
    auto const each = std::max<std::int64_t>(1, (group.sum(count) + ranks - 1) / ranks);
    auto number = group.sum_before(count);
    for (auto const& one : halves[h])
      parts[static_cast<std::size_t>((h == 0 ? 0 : lower) + number++ / each)].push_back(one);
  }
  return group.all_to_all(parts).values;
}

/// The travellers whose rank this is.
template <class Load>
std::vector<Traveller<Load>> arrived(std::vector<Traveller<Load>> mine,
                                     runtime::Communicator const& world)
{
  for (auto group = world; group.ranks() > 1;) {
    int const lower = group.ranks() / 2;
    mine = in_halves(mine, cut_of(mine, lower, group), lower, group);
    group = group.split(group.rank() < lower ? 0 : 1);
  }
  return mine;
}

template <class T>
std::vector<std::vector<T>> parts_of(std::vector<int> const& rank_of,
                                     std::vector<T> const& values, int ranks)
{
  std::vector<std::vector<T>> parts(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < values.size(); ++i)
    parts[static_cast<std::size_t>(rank_of[i])].push_back(values[i]);
  return parts;
}

} // namespace

std::vector<int> bisected(std::vector<Vector> const& at, std::vector<double> const& weight,
                          runtime::Communicator const& world)
{
  std::vector<Traveller<Home>> mine;
  for (std::size_t i = 0; i < at.size(); ++i)
    mine.push_back({at[i], weight[i], {world.rank(), static_cast<std::int64_t>(i)}});
  std::vector<int> homes;
  std::vector<std::int64_t> places;
  for (auto const& one : arrived(std::move(mine), world)) {
    homes.push_back(static_cast<int>(one.load.rank));
    places.push_back(one.load.place);
  }
  auto const answers = world.all_to_all(parts_of(homes, places, world.ranks()));
  std::vector<int> rank_of(at.size());
  for (int rank = 0; rank < world.ranks(); ++rank)
    for (auto const place : answers.from(rank))
      rank_of[static_cast<std::size_t>(place)] = rank;
  return rank_of;
}

Objects hand_over(Objects const& objects, std::vector<int> const& rank_of,
                  runtime::Communicator const& world)
{
  bool const cornered = world.any(!objects.corners.empty());
  auto const sent = [&](auto const& values) {
    return world.all_to_all(parts_of(rank_of, values, world.ranks())).values;
  };
  return {sent(objects.all), cornered ? sent(objects.corners) : std::vector<Corners>()};
}

Objects decompose(Objects objects, runtime::Communicator const& world)
{
  if (world.ranks() == 1)
    return objects;
  Objects found;
  if (world.any(!objects.corners.empty())) {
    std::vector<Traveller<Cornered>> mine;
    for (std::size_t i = 0; i < objects.all.size(); ++i)
      mine.push_back({objects.all[i].at, 1, {objects.all[i], objects.corners[i]}});
    for (auto const& one : arrived(std::move(mine), world)) {
      found.all.push_back(one.load.object);
      found.corners.push_back(one.load.corners);
    }
  } else {
    std::vector<Traveller<Object>> mine;
    for (auto const& object : objects.all)
      mine.push_back({object.at, 1, object});
    for (auto const& one : arrived(std::move(mine), world))
      found.all.push_back(one.load);
  }
  return found;
}

} // namespace strata::contact
