#include "check/reference.hpp"
#include "runtime/share.hpp"
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

// However many ranks there are: all of them together send a copy of what was found.
TEST(RowSums, AreSentOnceEach)
{
  for (int const ranks : {1, 7, 90, 1000}) {
    auto const parts = parts_of(found_by_rank(1), ranks);
    ASSERT_EQ(parts.size(), static_cast<std::size_t>(ranks));
    std::vector<RowSum> all;
    for (int r = 0; r < ranks; ++r)
      for (auto const& sum : parts[static_cast<std::size_t>(r)]) {
        runtime::Share const share{r, ranks};
        EXPECT_GE(sum.gid, 2 * share.begin(103));
        EXPECT_LT(sum.gid, 2 * share.end(103));
        all.push_back(sum);
      }
    auto expected = found_by_rank(1);
    std::erase_if(expected, [](RowSum const& sum) { return sum.entries == 0; });
    ASSERT_EQ(all.size(), expected.size()) << ranks;
    EXPECT_EQ(all, expected) << ranks;
  }
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
