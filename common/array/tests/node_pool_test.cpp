#include "on_host.hpp"

#include "array/node_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

std::vector<std::int32_t> taken(NodePool<DeviceSpace> const& pool, Nodes const& nodes)
{
  for_each(nodes.size(), TakeNodes{pool.view(), nodes.data()});
  pool.settle();
  auto const host = test::on_host(nodes);
  std::vector<std::int32_t> found(host.data(), host.data() + host.size());
  std::sort(found.begin(), found.end());
  return found;
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
    pool.settle();
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
  EXPECT_EQ(pool.memory_bytes(), 168 * 4 + 24);
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
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::memory);
    EXPECT_EQ(error.what(), message(most + 1));
  }
  NodePool<DeviceSpace> const pool("strata::test::pool", 8);
  EXPECT_EQ(pool.capacity_for(most - 5), most);
  EXPECT_EQ(pool.capacity_for(most), most);
  try {
    EXPECT_EQ(pool.capacity_for(most + 1), 0);
  } catch (Error const& error) {
    EXPECT_EQ(error.what(), message(most + 1));
  }
}

} // namespace

} // namespace strata
