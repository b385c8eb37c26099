#include "migration.hpp"

#include "decompose.hpp"
#include "load.hpp"

#include "scene/mix.hpp"
#include "scene/motion.hpp"
#include "scene/stretches.hpp"

#include <unordered_map>

namespace strata::contact {

namespace {

/// The element of a row and the number of its entries.
struct Head
{
  index_t gid;
  index_t entries;
};

/// The rows for each rank, heads and entries apart.
struct Parts
{
  std::vector<std::vector<Head>> heads;
  std::vector<std::vector<CarriedRows::Entry>> entries;

  explicit Parts(int ranks)
      : heads(static_cast<std::size_t>(ranks))
      , entries(static_cast<std::size_t>(ranks))
  {
  }
  void add(int rank, index_t gid, CarriedRows const& rows, std::size_t row)
  {
    auto const to = static_cast<std::size_t>(rank);
    auto const at = [&](index_t entry) { return rows.entries.begin() + entry; };
    heads[to].push_back({gid, rows.start[row + 1] - rows.start[row]});
    entries[to].insert(entries[to].end(), at(rows.start[row]), at(rows.start[row + 1]));
  }
};

/// Rows in the order of the elements that they belong to.
CarriedRows in_order_of(std::vector<Object> const& objects, std::size_t elements,
                        std::vector<Head> const& heads,
                        std::vector<CarriedRows::Entry> const& entries)
{
  std::unordered_map<index_t, std::pair<index_t, index_t>> place; // first and number
  index_t first = 0;
  for (auto const& head : heads) {
    place.emplace(head.gid, std::pair(first, head.entries));
    first += head.entries;
  }
  CarriedRows rows;
  rows.start.push_back(0);
  for (std::size_t row = 0; row < elements; ++row) {
    auto const [begin, count] = place.at(objects[row].gid);
    rows.entries.insert(rows.entries.end(), entries.begin() + begin,
                        entries.begin() + begin + count);
    rows.start.push_back(static_cast<index_t>(rows.entries.size()));
  }
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
  Parts parts(world.ranks());
  for (std::size_t row = 0; row + 1 < rows.start.size(); ++row)
    parts.add(rank_of[row], objects.all[row].gid, rows, row);
  auto const before = census_of(objects.all, world);
  population.adopt(scenery.ordered(hand_over(objects, rank_of, world)));
  auto const heads = world.all_to_all(parts.heads).values;
  rows = in_order_of(objects.all, static_cast<std::size_t>(population.rows()), heads,
                     world.all_to_all(parts.entries).values);
  return census_of(objects.all, world) == before;
}

} // namespace strata::contact
