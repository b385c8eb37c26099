#include "checks.hpp"

#include "scene/stretches.hpp"

#include <cmath>
#include <mutex>

namespace strata::contact {

namespace {

/// The tally of all ranks, in two reductions.
Tally reduced(Tally const& mine, runtime::Communicator const& world)
{
  auto const count = [](index_t n) { return static_cast<std::uint64_t>(n); };
  auto const sums = world.sum(std::vector<std::uint64_t>{
      mine.forward, mine.backward, mine.forward_since, mine.backward_since, mine.of_points,
      count(mine.entries), count(mine.point_entries), count(mine.wrong), count(mine.age),
      count(mine.coincident)});
  auto const counted = [&](std::size_t at) { return static_cast<index_t>(sums[at]); };
  Tally all;
  all.forward = sums[0];
  all.backward = sums[1];
  all.forward_since = sums[2];
  all.backward_since = sums[3];
  all.of_points = sums[4];
  all.entries = counted(5);
  all.point_entries = counted(6);
  all.wrong = counted(7);
  all.age = counted(8);
  all.coincident = counted(9);
  all.longest = world.max(mine.longest);
  return all;
}

} // namespace

std::vector<verify::Verdict> judge_tally(Tally const& mine,
                                         std::optional<Expected> const& expected,
                                         runtime::Communicator const& world, bool half_list,
                                         Findings& findings)
{
  auto const all = reduced(mine, world);
  findings.checksum = all.forward + all.of_points + (half_list ? all.backward : 0);
  findings.entries = all.entries;
  findings.longest = all.longest;
  findings.age = all.age;
  findings.coincident = all.coincident;
  bool const symmetric = all.forward == all.backward && all.forward_since == all.backward_since;
  auto const directed = static_cast<double>(all.entries - all.point_entries);

  std::vector<verify::Verdict> verdicts;
  verdicts.push_back(verify::judge("wrong_entries", static_cast<double>(all.wrong), 0));
  if (!half_list)
    verdicts.push_back(verify::judge("checksum_asymmetry", symmetric ? 0 : 1, 0));
  if (expected) {
    double const pairs = half_list ? directed : directed / 2;
    verdicts.push_back(verify::judge("pairs_off_closed_form", std::abs(pairs - expected->pairs),
                                     5 * expected->deviation));
    if (expected->deviation == 0)
      verdicts.push_back(verify::judge(
          "point_entries_off_closed_form",
          std::abs(static_cast<double>(all.point_entries) - expected->point_entries), 0));
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
