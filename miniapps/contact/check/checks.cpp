#include "checks.hpp"

#include "scene/stretches.hpp"

#include <cmath>
#include <mutex>

namespace strata::contact {

std::vector<verify::Verdict> judge_tally(Tally const& mine,
                                         std::optional<Expected> const& expected,
                                         runtime::Communicator const& world, bool half_list,
                                         Findings& findings)
{
  auto const forward = world.sum(mine.forward);
  auto const backward = world.sum(mine.backward);
  findings.checksum = forward + world.sum(mine.of_points) + (half_list ? backward : 0);
  findings.entries = world.sum(mine.entries);
  findings.longest = world.max(mine.longest);
  findings.age = world.sum(mine.age);
  findings.coincident = world.sum(mine.coincident);
  index_t const of_points = world.sum(mine.point_entries);
  bool const symmetric =
      forward == backward && world.sum(mine.forward_since) == world.sum(mine.backward_since);
  auto const directed = static_cast<double>(findings.entries - of_points);

  std::vector<verify::Verdict> verdicts;
  verdicts.push_back(
      verify::judge("wrong_entries", static_cast<double>(world.sum(mine.wrong)), 0));
  if (!half_list)
    verdicts.push_back(verify::judge("checksum_asymmetry", symmetric ? 0 : 1, 0));
  if (expected) {
    double const pairs = half_list ? directed : directed / 2;
    verdicts.push_back(verify::judge("pairs_off_closed_form", std::abs(pairs - expected->pairs),
                                     5 * expected->deviation));
    if (expected->deviation == 0)
      verdicts.push_back(
          verify::judge("point_entries_off_closed_form",
                        std::abs(static_cast<double>(of_points) - expected->point_entries), 0));
  }
  return verdicts;
}

RowsToCheck rows_to_check(Population const& population, std::vector<RowSum> const& all)
{
  std::unordered_map<index_t, RowSum const*> by_gid;
  for (auto const& sum : all)
    by_gid.emplace(sum.gid, &sum);
  RowsToCheck check;
  std::mutex lock;
  for_each_on_host("strata::contact rows to check", static_cast<std::size_t>(population.rows()),
                   [&](std::size_t row) {
                     auto const found = by_gid.find(population.objects().all[row].gid);
                     if (found == by_gid.end())
                       return;
                     std::scoped_lock const hold(lock);
                     check.rows.push_back(static_cast<index_t>(row));
                     check.expected.push_back(*found->second);
                   });
  return check;
}

} // namespace strata::contact
