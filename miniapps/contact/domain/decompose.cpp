#include "decompose.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>

namespace strata::contact {

namespace {

/// Ranks [first, first + size) and what is known of their places.
struct Group
{
  int first;
  int size;
  std::size_t axis = 0;
  double low = 0; ///< the cut lies in [low, high]
  double high = 0;

  [[nodiscard]] int left() const { return size / 2; }
};

constexpr std::size_t bins = 64;
constexpr int refinements = 5; ///< 64^5 places for a cut

class Bisection
{
public:
  Bisection(std::vector<Vector> const& at, std::vector<double> const& weight,
            runtime::Communicator const& world)
      : at_(at)
      , weight_(weight)
      , world_(world)
      , group_of_(at.size(), 0)
      , groups_{{0, world.ranks()}}
  {
  }
  std::vector<int> ranks()
  {
    while (std::any_of(groups_.begin(), groups_.end(),
                       [](Group const& g) { return g.size > 1; })) {
      choose_axes();
      for (int i = 0; i < refinements; ++i)
        refine();
      split();
    }
    return group_of_; // every group is one rank
  }

private:
  /// This rank's places of groups that are still to be cut.
  template <class F>
  void each(F const& f) const
  {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      auto const g = index_of(group_of_[i]);
      if (groups_[g].size > 1)
        f(i, g);
    }
  }
  [[nodiscard]] std::size_t index_of(int first) const
  {
    return static_cast<std::size_t>(
        std::lower_bound(groups_.begin(), groups_.end(), first,
                         [](Group const& g, int rank) { return g.first < rank; }) -
        groups_.begin());
  }

  void choose_axes()
  {
    std::vector<double> bounds(groups_.size() * 6, -HUGE_VAL);
    each([&](std::size_t i, std::size_t g) {
      for (std::size_t k = 0; k < 3; ++k) {
        bounds[6 * g + k] = std::max(bounds[6 * g + k], -at_[i][k]);
        bounds[6 * g + 3 + k] = std::max(bounds[6 * g + 3 + k], at_[i][k]);
      }
    });
    bounds = world_.max(bounds);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      double longest = -1;
      for (std::size_t k = 0; k < 3; ++k) {
        double const length = bounds[6 * g + 3 + k] + bounds[6 * g + k];
        if (length > longest) {
          longest = length;
          groups_[g].axis = k;
          groups_[g].low = -bounds[6 * g + k];
          groups_[g].high = bounds[6 * g + 3 + k];
        }
      }
    }
    totals_ = counted([](std::size_t, std::size_t) { return std::size_t{0}; }, 1);
    below_.assign(groups_.size(), 0);
  }

  /// The weight of each group by bin, over all ranks.
  template <class BinOf>
  std::vector<double> counted(BinOf const& bin_of, std::size_t count) const
  {
    std::vector<double> found(groups_.size() * count, 0);
    each([&](std::size_t i, std::size_t g) {
      auto const bin = bin_of(i, g);
      if (bin < count)
        found[g * count + bin] += weight_[i];
    });
    return world_.sum(found);
  }

  void refine()
  {
    auto const histogram = counted(
        [&](std::size_t i, std::size_t g) {
          auto const& group = groups_[g];
          double const x = at_[i][group.axis];
          if (x < group.low || x > group.high || !(group.high > group.low))
            return bins; // counted before, or no place to cut
          double const at = (x - group.low) / (group.high - group.low) * bins;
          return std::min(static_cast<std::size_t>(at), bins - 1);
        },
        bins);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto& group = groups_[g];
      if (group.size < 2 || !(group.high > group.low))
        continue;
      double const aim = totals_[g] * group.left() / group.size;
      double const width = (group.high - group.low) / bins;
      std::size_t bin = 0;
      while (bin + 1 < bins && below_[g] + histogram[g * bins + bin] <= aim)
        below_[g] += histogram[g * bins + bin++];
      double const start = group.low;
      group.low = start + width * static_cast<double>(bin);
      group.high = start + width * static_cast<double>(bin + 1);
    }
  }

  /// What lies below the cut goes to the lower ranks.
  void split()
  {
    each([&](std::size_t i, std::size_t g) {
      auto const& group = groups_[g];
      if (at_[i][group.axis] >= group.low)
        group_of_[i] = group.first + group.left();
    });
    std::vector<Group> next;
    for (auto const& group : groups_) {
      if (group.size > 1)
        next.push_back({group.first, group.left()});
      next.push_back({group.first + (group.size > 1 ? group.left() : 0),
                      group.size - (group.size > 1 ? group.left() : 0)});
    }
    groups_ = std::move(next);
  }

  std::vector<Vector> const& at_;
  std::vector<double> const& weight_;
  runtime::Communicator const& world_;
  std::vector<int> group_of_; ///< by the group's first rank
  std::vector<Group> groups_; ///< by first rank
  std::vector<double> totals_;
  std::vector<double> below_; ///< weight of a group that lies below `low`
};

/// The values that go to this rank.
template <class T>
std::vector<T> sent_to(std::vector<int> const& rank_of, std::vector<T> const& values,
                       runtime::Communicator const& world)
{
  std::vector<std::vector<T>> parts(static_cast<std::size_t>(world.ranks()));
  for (std::size_t i = 0; i < values.size(); ++i)
    parts[static_cast<std::size_t>(rank_of[i])].push_back(values[i]);
  return world.all_to_all(parts).values;
}

} // namespace

std::vector<int> bisected(std::vector<Vector> const& at, std::vector<double> const& weight,
                          runtime::Communicator const& world)
{
  return Bisection(at, weight, world).ranks();
}

Objects hand_over(Objects const& objects, std::vector<int> const& rank_of,
                  runtime::Communicator const& world)
{
  bool const cornered = world.any(!objects.corners.empty());
  return {sent_to(rank_of, objects.all, world),
          cornered ? sent_to(rank_of, objects.corners, world) : std::vector<Corners>()};
}

Objects decompose(Objects objects, runtime::Communicator const& world)
{
  if (world.ranks() == 1)
    return objects;
  std::vector<Vector> at;
  for (auto const& object : objects.all)
    at.push_back(object.at);
  return hand_over(objects, bisected(at, std::vector<double>(at.size(), 1), world), world);
}

} // namespace strata::contact
