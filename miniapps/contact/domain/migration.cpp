#include "migration.hpp"

#include "decompose.hpp"
#include "load.hpp"

#include "scene/mix.hpp"
#include "scene/motion.hpp"
#include "scene/stretches.hpp"

#include <numeric>

namespace strata::contact {

namespace {

/// The rows of this rank's elements, first those that go to rank 0, and how many go to each.
struct Leaving
{
  std::vector<index_t> rows;
  std::vector<index_t> for_rank;
};

Leaving leaving(std::vector<int> const& rank_of, index_t rows, int ranks)
{
  Leaving found;
  found.for_rank.resize(static_cast<std::size_t>(ranks));
  auto const rank = [&](index_t row) {
    return static_cast<std::size_t>(rank_of[static_cast<std::size_t>(row)]);
  };
  for (index_t row = 0; row < rows; ++row)
    ++found.for_rank[rank(row)];
  std::vector<index_t> next(found.for_rank.size());
  std::exclusive_scan(found.for_rank.begin(), found.for_rank.end(), next.begin(), index_t{0});
  found.rows.resize(static_cast<std::size_t>(rows));
  for (index_t row = 0; row < rows; ++row)
    found.rows[static_cast<std::size_t>(next[rank(row)]++)] = row;
  return found;
}

/// The number, among the rows that came with them, of the row of each of the first `elements`
/// objects. Rows came in the order of their elements, whatever points came between these.
std::vector<index_t> rows_of(std::vector<std::uint32_t> const& from, std::size_t elements)
{
  std::vector<index_t> number(from.size(), 0); // 1 for an element, then the elements before it
  for (std::size_t i = 0; i < elements; ++i)
    number[from[i]] = 1;
  std::exclusive_scan(number.begin(), number.end(), number.begin(), index_t{0});
  std::vector<index_t> rows(elements);
  for (std::size_t i = 0; i < elements; ++i)
    rows[i] = number[from[i]];
  return rows;
}

} // namespace

Census census_of(std::vector<Object> const& mine, runtime::Communicator const& world)
{
  std::uint64_t gids = 0;
  for (auto const& object : mine)
    gids += mixed(static_cast<std::uint64_t>(object.gid) + 1);
  return {world.sum(static_cast<std::int64_t>(mine.size())), world.sum(gids)};
}

std::vector<int> even_ranks(Scenery const& scenery, runtime::Communicator const& world)
{
  auto const& population = scenery.population;
  auto const& objects = population.objects().all;
  std::vector<Vector> at(objects.size());
  for_each_on_host("strata::contact places", at.size(), [&](std::size_t i) {
    at[i] = position(objects[i], population.scene().bounds, population.step());
  });
  std::vector<double> weight(objects.size(), 1);
  auto const tests = tests_by_row(scenery);
  for (std::size_t row = 0; row < tests.size(); ++row)
    weight[row] += static_cast<double>(tests[row]);
  return bisected(at, weight, world);
}

bool migrate(Scenery& scenery, std::vector<int> const& rank_of, CarriedRows& rows,
             runtime::Communicator const& world)
{
  auto& population = scenery.population;
  auto const& objects = population.objects();
  auto const before = census_of(objects.all, world);
  auto const parts = leaving(rank_of, rows.rows, world.ranks());
  rows = listed(rows, parts.rows); // at most two copies are there at a time
  rows = handed_over(rows, parts.for_rank, population.exchange(), world);
  auto own = scenery.ordered(hand_over(objects, rank_of, world));
  population.adopt(std::move(own.objects));
  rows = listed(rows, rows_of(own.from, static_cast<std::size_t>(population.rows())));
  return census_of(objects.all, world) == before;
}

} // namespace strata::contact
