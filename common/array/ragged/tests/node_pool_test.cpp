#include "array/ragged/node_pool.hpp"
#include "array/tests/on_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata {

namespace {

using Nodes = EntryValues<std::int32_t>;

struct TakeNodes
{
  static constexpr char const* name() { return "strata::test::TakeNodes"; }
  NodePoolView pool;
  std::int32_t* nodes;

  KOKKOS_FUNCTION void operator()(index_t i) const { nodes[i] = pool.take(); }
};

/// Gives back every `every`-th node.
struct GiveNodes
{
  static constexpr char const* name() { return "strata::test::GiveNodes"; }
  NodePoolView pool;
  std::int32_t const* nodes;
  index_t every;

  KOKKOS_FUNCTION void operator()(index_t i) const { pool.give(nodes[every * i]); }
};

/// Gives back its node, of which item i has nodes[i], and takes another.
struct ChangeNodes
{
  static constexpr char const* name() { return "strata::test::ChangeNodes"; }
  NodePoolView pool;
  std::int32_t* nodes;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    pool.give(nodes[i]);
    nodes[i] = pool.take();
  }
};

std::vector<std::int32_t> sorted(Nodes const& nodes)
{
  auto const host = test::on_host(nodes);
  std::vector<std::int32_t> found(host.data(), host.data() + host.size());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::int32_t> taken(NodePool<DeviceSpace> const& pool, Nodes const& nodes)
{
  for_each(nodes.size(), TakeNodes{pool.view(), nodes.data()});
  pool.reclaim();
  return sorted(nodes);
}

TEST(NodePool, GivesEachNodeToOneAndThenNone)
{
  NodePool<DeviceSpace> const pool("strata::test::pool", 100);
  EXPECT_EQ(pool.capacity(), 100);
  auto const found = taken(pool, Nodes("strata::test::nodes", Dynamic<1>(130)));
  for (std::size_t i = 0; i < 130; ++i)
    EXPECT_EQ(found[i], i < 30 ? -1 : static_cast<std::int32_t>(i) - 30);
}

TEST(NodePool, TakesNodesBack)
{
  NodePool<DeviceSpace> pool("strata::test::pool", 100);
  Nodes const nodes("strata::test::nodes", Dynamic<1>(100));
  auto const all = taken(pool, nodes);
  Nodes const more("strata::test::more", Dynamic<1>(20));
  for (int again = 0; again < 3; ++again) {
    auto const host = test::on_host(nodes);
    std::vector<std::int32_t> given;
    for (index_t i = 0; i < 20; ++i)
      given.push_back(host.read()(5 * i));
    std::sort(given.begin(), given.end());
    for_each(20, GiveNodes{pool.view(), nodes.data(), 5});
    pool.reclaim();
    EXPECT_EQ(taken(pool, more), given);
    EXPECT_EQ(taken(pool, more), std::vector<std::int32_t>(20, -1));
    pool.clear();
    EXPECT_EQ(taken(pool, nodes), all);
  }
}

TEST(NodePool, KeepsWhatIsTakenWhenItGrows)
{
  NodePool<DeviceSpace> pool("strata::test::pool", 100);
  Nodes const nodes("strata::test::nodes", Dynamic<1>(130));
  taken(pool, nodes);
  EXPECT_EQ(pool.capacity_for(130), 168); // 162 in eights
  pool.grow(168);
  Nodes const more("strata::test::more", Dynamic<1>(68));
  auto const found = taken(pool, more);
  EXPECT_EQ(found.front(), 100);
  EXPECT_EQ(found.back(), 167);
  EXPECT_EQ(pool.memory_bytes(), 168 * (4 + 8) + 40);
}

TEST(NodePool, TakesNoNodeAgainInTheLaunchThatGaveItBack)
{
  constexpr index_t items = 1000;
  NodePool<DeviceSpace> const pool("strata::test::pool", 2 * items);
  Nodes const nodes("strata::test::nodes", Dynamic<1>(items));
  auto before = taken(pool, nodes);
  for (int again = 0; again < 20; ++again) { // the ring has been gone round five times
    for_each(items, ChangeNodes{pool.view(), nodes.data()});
    pool.reclaim();
    auto const now = sorted(nodes);
    auto both = before;
    both.insert(both.end(), now.begin(), now.end());
    std::sort(both.begin(), both.end());
    for (index_t node = 0; node < 2 * items; ++node)
      ASSERT_EQ(both[static_cast<std::size_t>(node)], node) << again;
    before = now;
  }
  Nodes const rest("strata::test::rest", Dynamic<1>(items + 1));
  auto const others = taken(pool, rest);
  EXPECT_EQ(others.front(), -1);
  std::vector<std::int32_t> all(others.begin() + 1, others.end());
  all.insert(all.end(), before.begin(), before.end());
  std::sort(all.begin(), all.end());
  for (index_t node = 0; node < 2 * items; ++node)
    ASSERT_EQ(all[static_cast<std::size_t>(node)], node);
}

TEST(NodePool, AsksForMoreThanThereAreAndHasThemAllAgain)
{
  NodePool<DeviceSpace> const pool("strata::test::pool", 100);
  Nodes const nodes("strata::test::nodes", Dynamic<1>(100));
  auto const all = taken(pool, nodes);
  Nodes const many("strata::test::many", Dynamic<1>(1000));
  for (int again = 0; again < 5; ++again) {
    for_each(100, GiveNodes{pool.view(), nodes.data(), 1});
    pool.reclaim();
    EXPECT_EQ(taken(pool, nodes), all);
    for_each(100, GiveNodes{pool.view(), nodes.data(), 1});
    pool.reclaim();
    auto const found = taken(pool, many);
    EXPECT_EQ(std::vector<std::int32_t>(found.end() - 100, found.end()), all);
    EXPECT_EQ(found[899], -1);
  }
}

TEST(NodePool, KeepsWhatIsAvailableWhenItGrows)
{
  NodePool<DeviceSpace> pool("strata::test::pool", 100);
  Nodes const nodes("strata::test::nodes", Dynamic<1>(80));
  auto all = taken(pool, nodes);
  for_each(30, GiveNodes{pool.view(), nodes.data(), 1});
  pool.reclaim();
  taken(pool, Nodes("strata::test::few", Dynamic<1>(10))); // the first available is not the
                                                           // ring's first
  for_each(20, GiveNodes{pool.view(), nodes.data() + 30, 1});
  pool.grow(200); // settles
  auto const found = taken(pool, Nodes("strata::test::more", Dynamic<1>(200)));
  // All but the 40 that are kept: 30 not given back and 10 taken again.
  EXPECT_EQ(found[39], -1);
  EXPECT_GE(found[40], 0);
  EXPECT_EQ(found.back(), 199);
  EXPECT_EQ(std::adjacent_find(found.begin() + 40, found.end()), found.end());
  auto const host = test::on_host(nodes);
  for (index_t i = 50; i < 80; ++i)
    EXPECT_FALSE(std::binary_search(found.begin(), found.end(), host.data()[i])) << i;
}

TEST(NodePool, HasAsManyNodesAsLinksTellApart)
{
  auto const message = [](index_t nodes) {
    return "'strata::test::pool' needs " + std::to_string(nodes) +
           " nodes, more than 32-bit links tell apart";
  };
  constexpr index_t most = 2147483647;
  try {
    NodePool<DeviceSpace> const pool("strata::test::pool", most + 1);
    FAIL() << "it has them";
  } catch (std::length_error const& error) {
    EXPECT_EQ(error.what(), message(most + 1));
  }
  NodePool<DeviceSpace> const pool("strata::test::pool", 8);
  EXPECT_EQ(pool.capacity_for(most - 5), most);
  EXPECT_EQ(pool.capacity_for(most), most);
  try {
    EXPECT_EQ(pool.capacity_for(most + 1), 0);
  } catch (std::length_error const& error) {
    EXPECT_EQ(error.what(), message(most + 1));
  }
}

} // namespace

} // namespace strata
