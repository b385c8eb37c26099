#include "array/launch/scratch.hpp"
#include "array/launch/team.hpp"
#include "array/tests/on_host.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strata {

namespace {

using Numbers = Array<double, Dynamic<1>>;

/// sums(team) = Σ over a line of values, members taking turns, the first half of them through
/// scratch memory.
template <class Values, class Sums>
struct LineSum
{
  static constexpr char const* name() { return "strata::test::LineSum"; }
  using Members = Span<double, Extents<int, 64>, LayoutRight>;
  using Count = Span<int, Extents<int, 1>, LayoutRight>;
  static constexpr std::size_t scratch_bytes = scratch_bytes_of<Count, Members>;
  Values values;
  Sums sums;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Scratch scratch(team.scratch());
    auto const count = scratch.template take<Count>();
    auto const shared = scratch.template take<Members>();
    if (team.rank() == 0)
      count(0) = Team::size;
    double mine = 0;
    for (index_t j = team.rank(); j < values.extent(1); j += Team::size)
      mine += values(team.index(), j);
    shared(team.rank()) = mine;
    team.barrier();
    double const sum = team.sum(mine);
    double again = 0;
    for (int r = 0; r < count(0); ++r)
      again += shared(r);
    team.barrier();
    if (team.rank() == 0)
      sums(team.index()) = again == sum ? sum : -1;
  }
};

template <class Values>
struct SetIndices
{
  static constexpr char const* name() { return "strata::test::SetIndices"; }
  Values values;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const
  {
    values(i, j) = static_cast<double>(100 * i + j);
  }
};

/// sums(team, member) = the sum over its group of four of members' numbers.
template <class Sums>
struct GroupSum
{
  static constexpr char const* name() { return "strata::test::GroupSum"; }
  Sums sums;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    sums(team.index(), team.rank()) =
        team.template sum_of<4>(static_cast<double>(100 * team.index() + team.rank()));
  }
};

TEST(Team, SumsOverNeighboursWhereAllAreOfOneTeam)
{
  index_t const members = device_is_host ? 1 : 32;
  for (index_t const teams : {1, 3, 1001}) {
    Array<double, Dynamic<2>> const sums("strata::test::sums", Dynamic<2>(teams, members));
    auto const out = sums.write();
    for_each_team<32>(teams, GroupSum<decltype(out)>{out});
    auto const host = test::on_host(sums);
    for (index_t t = 0; t < teams; ++t)
      for (index_t m = 0; m < members; ++m) {
        index_t const first = 100 * t + m / 4 * 4;
        EXPECT_EQ(host.read()(t, m), static_cast<double>(members == 1 ? first : 4 * first + 6));
      }
  }
}

/// sums(team, member) = the sum over the members before it of 3·team + member.
template <class Sums>
struct SumBefore
{
  static constexpr char const* name() { return "strata::test::SumBefore"; }
  Sums sums;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    sums(team.index(), team.rank()) =
        team.before(static_cast<int>(3 * team.index()) + team.rank());
  }
};

TEST(Team, SumsOverMembersBeforeOne)
{
  index_t const members = device_is_host ? 1 : 32;
  constexpr index_t teams = 501;
  Array<int, Dynamic<2>> const sums("strata::test::sums", Dynamic<2>(teams, members));
  auto const out = sums.write();
  for_each_team<32>(teams, SumBefore<decltype(out)>{out});
  auto const host = test::on_host(sums);
  for (index_t t = 0; t < teams; ++t)
    for (index_t m = 0; m < members; ++m)
      EXPECT_EQ(host.read()(t, m), 3 * t * m + m * (m - 1) / 2);
}

/// last(team) = what another member has left in scratch memory of more than a GPU's block has
/// without asking.
template <class Out>
struct LargeScratch
{
  static constexpr char const* name() { return "strata::test::LargeScratch"; }
  using Values = Span<double, Extents<int, 8192>, LayoutRight>;
  static constexpr std::size_t scratch_bytes = scratch_bytes_of<Values>;
  Out last;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Scratch scratch(team.scratch());
    auto const values = scratch.template take<Values>();
    for (int k = team.rank(); k < values.extent(0); k += Team::size)
      values(k) = static_cast<double>(10'000 * team.index() + k);
    team.barrier();
    if (team.rank() == 0)
      last(team.index()) = values(8191);
  }
};

TEST(Team, HasMoreScratchMemoryWhereTheDeviceHas)
{
  constexpr index_t teams = 300;
  Numbers const last("strata::test::last", Dynamic<1>(teams));
  auto const out = last.write();
  using Kernel = LargeScratch<std::remove_const_t<decltype(out)>>;
  if (!runs_as_teams<64, Kernel>())
    GTEST_SKIP() << "this device has less shared memory";
  for_each_team<64>(teams, Kernel{out});
  auto const host = test::on_host(last);
  for (index_t t = 0; t < teams; ++t)
    EXPECT_EQ(host.read()(t), static_cast<double>(10'000 * t + 8191)) << t;
}

/// sums(team, member) = the sum over its group of eight of members' values of number member
/// % 4.
template <class Sums>
struct GroupSums
{
  static constexpr char const* name() { return "strata::test::GroupSums"; }
  Sums sums;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    double values[4];
    for (int n = 0; n < 4; ++n)
      values[n] = static_cast<double>(1000 * team.index() + 100 * n + team.rank());
    sums(team.index(), team.rank()) = team.template sums_of<8>(values);
  }
};

TEST(Team, SumsSeveralValuesOverNeighbours)
{
  index_t const members = device_is_host ? 1 : 32;
  Array<double, Dynamic<2>> const sums("strata::test::sums", Dynamic<2>(7, members));
  auto const out = sums.write();
  for_each_team<32>(7, GroupSums<decltype(out)>{out});
  auto const host = test::on_host(sums);
  for (index_t t = 0; t < 7; ++t)
    for (index_t m = 0; m < members; ++m) {
      index_t const first = 1000 * t + 100 * (m % 4) + m / 8 * 8;
      EXPECT_EQ(host.read()(t, m), static_cast<double>(members == 1 ? first : 8 * first + 28));
    }
}

/// found(team, member) = ten times the number of the member, of the team's second group, whose
/// number the team has, plus the number of the next member of the reader's.
template <class Found>
struct GroupValue
{
  static constexpr char const* name() { return "strata::test::GroupValue"; }
  static constexpr std::size_t scratch_bytes = 64 * sizeof(int);
  Found found;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    constexpr int group = Team::size < 32 ? 1 : 32;
    auto* const numbers = static_cast<int*>(team.scratch());
    int const rank = team.rank();
    if (rank < Team::size - group)
      return; // the first group takes no part
    numbers[rank] = rank;
    team.template barrier_of<group>();
    int const next = numbers[rank / group * group + (rank + 1) % group];
    int const of = static_cast<int>(team.index()) % group;
    found(team.index(), rank) = 10 * team.template value_of<group>(rank, of) + next;
  }
};

TEST(Team, GivesAGroupAMembersValue)
{
  index_t const group = device_is_host ? 1 : 32;
  index_t const first = device_is_host ? 0 : 32;
  Array<int, Dynamic<2>> const found("strata::test::found", Dynamic<2>(40, first + group));
  auto const out = found.write();
  for_each_team<64>(40, GroupValue<decltype(out)>{out});
  auto const host = test::on_host(found);
  for (index_t t = 0; t < 40; ++t)
    for (index_t m = 0; m < group; ++m)
      EXPECT_EQ(host.read()(t, first + m), 10 * (first + t % group) + first + (m + 1) % group);
}

/// found(team, member) = how many members' numbers are at least the team's, plus 1000 if one
/// equals it.
template <class Found>
struct HaveNumber
{
  static constexpr char const* name() { return "strata::test::HaveNumber"; }
  Found found;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    int const count = team.count(team.rank() >= team.index());
    found(team.index(), team.rank()) =
        team.any(team.rank() == team.index()) ? 1000 + count : count;
  }
};

template <int Members>
void expect_any_and_count()
{
  index_t const members = device_is_host ? 1 : Members;
  index_t const teams = 2 * Members + 1;
  Array<int, Dynamic<2>> const found("strata::test::found", Dynamic<2>(teams, members));
  auto const out = found.write();
  for_each_team<Members>(teams, HaveNumber<decltype(out)>{out});
  auto const host = test::on_host(found);
  for (index_t t = 0; t < teams; ++t)
    for (index_t m = 0; m < members; ++m)
      EXPECT_EQ(host.read()(t, m), t < members ? 1000 + members - t : 0) << t << ' ' << m;
}

TEST(Team, KnowsForHowManyOfItsMembersAThingIsTrue)
{
  expect_any_and_count<32>();
  expect_any_and_count<64>();
}

/// bits(team) = those of the members whose number shares a bit with the team's.
template <class Bits>
struct Ballot
{
  static constexpr char const* name() { return "strata::test::Ballot"; }
  Bits bits;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto const found = team.ballot((team.rank() & team.index()) != 0);
    if (team.rank() == Team::size - 1)
      bits(team.index()) = found;
  }
};

TEST(Team, CollectsABitOfEveryMember)
{
  int const members = device_is_host ? 1 : 32;
  constexpr index_t teams = 65;
  Array<std::uint32_t, Dynamic<1>> const bits("strata::test::bits", Dynamic<1>(teams));
  auto const out = bits.write();
  for_each_team<32>(teams, Ballot<decltype(out)>{out});
  auto const host = test::on_host(bits);
  for (index_t t = 0; t < teams; ++t)
    for (int m = 0; m < members; ++m)
      EXPECT_EQ(host.read()(t) >> m & 1, (m & t) != 0 ? 1U : 0U) << t << ' ' << m;
}

TEST(Team, SumsOverItsMembersInEveryTeamOnce)
{
  testing::Listener const listener;
  for (index_t const teams : {0, 1, 3, 1001}) {
    Array<double, Dynamic<2>> const values("strata::test::values", Dynamic<2>(teams, 77));
    Numbers const sums("strata::test::sums", Dynamic<1>(teams));
    auto const set = values.write();
    for_each(in_order_of<LayoutRight>(values.extents()), SetIndices<decltype(set)>{set});
    auto const in = values.read();
    auto const out = sums.write();
    for_each_team<64>(teams, LineSum<decltype(in), decltype(out)>{in, out});
    auto const host = test::on_host(sums);
    for (index_t t = 0; t < teams; ++t)
      EXPECT_EQ(host.read()(t), static_cast<double>(77 * 100 * t + 77 * 38));
  }
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata
