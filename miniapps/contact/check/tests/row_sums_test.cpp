#include "check/reference.hpp"
#include "tests/contacts.hpp"

namespace strata::contact {

namespace {

/// What some rank has found of 103 rows: entries of every third, of which rows depends on the
/// rank.
std::vector<RowSum> found_by_rank(int rank)
{
  std::vector<RowSum> sums;
  for (index_t i = 0; i < 103; ++i)
    sums.push_back(i % 3 == rank % 3
                       ? RowSum{2 * i, i + 1, ~std::uint64_t{0} - static_cast<std::uint64_t>(i)}
                       : RowSum{2 * i, 0, 0});
  return sums;
}

} // namespace

TEST(RowSums, AreAddedUpOverAllRanks)
{
  auto const world = runtime::Communicator::world();
  auto expected = found_by_rank(0);
  for (int rank = 1; rank < world.ranks(); ++rank)
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i].entries += found_by_rank(rank)[i].entries;
      expected[i].hash += found_by_rank(rank)[i].hash;
    }
  EXPECT_EQ(added_up(found_by_rank(world.rank()), world), expected);
  EXPECT_EQ(added_up({}, world), std::vector<RowSum>{});
}

TEST(RowSums, AreTheSameHoweverManyRowsAreLookedAtAtOnce)
{
  Config config;
  config.elements = 500;
  Problem problem(config, setting_of_world());
  problem.prepare();
  auto const& population = problem.scenery().population;
  auto const rows = [&](std::size_t at_once) {
    return brute_rows(population, problem.setting().world, 256, 0, false, at_once);
  };
  auto const all = rows(500);
  EXPECT_EQ(all.size(), 500U);
  for (std::size_t const at_once : {7, 499})
    EXPECT_EQ(rows(at_once), all) << at_once;
}

} // namespace strata::contact
