#include "array/launch/team.hpp"
#include "array/ragged/tests/row_structures.hpp"
#include "rows/filled_rows.hpp"
#include "rows/row_group.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace strata::contact {

namespace {

using test::Store;

/// Sum and number of a row's gaps, which find themselves where the row's are told.
struct GapSum
{
  double sum = 0;
  index_t count = 0;

  KOKKOS_FUNCTION void add(double gap)
  {
    sum += gap;
    ++count;
  }
};

/// The same without a branch, and with what would tell a value that is not there.
struct GapSumOfAll : GapSum
{
  double least = HUGE_VAL;

  using GapSum::add;
  KOKKOS_FUNCTION void add(double gap, bool there)
  {
    sum += gap;
    count += there ? 1 : 0;
    least = there && gap < least ? gap : least;
  }
  static KOKKOS_FUNCTION double nothing() { return 0; }
};

/// The same of rows in lanes, where a host has such.
struct GapSumInLanes : GapSumOfAll
{
#if defined(STRATA_ROW_LANES)
  struct Lanes
  {
    strata::Lanes sum = {};
    strata::Lanes count = {};
    strata::Lanes least = HUGE_VAL - strata::Lanes{};

    void add(strata::Lanes gap, LaneMasks there)
    {
      sum += there ? gap : strata::Lanes{};
      count += there ? 1.0 - strata::Lanes{} : strata::Lanes{};
      strata::Lanes const low = there ? gap : HUGE_VAL - strata::Lanes{};
      least = low < least ? low : least;
    }
  };
#endif
};

/// How the rows of a group are folded: as on this device, or as on a GPU.
enum class How
{
  here,
  all
};

/// Keeps what rows came to.
template <class Fold>
struct KeepSums
{
  double* sums;
  std::int32_t* counts;

  KOKKOS_FUNCTION void operator()(index_t row, Fold const& found) const
  {
    keep(row, found.sum, static_cast<std::int32_t>(found.count));
    if constexpr (requires { found.least; })
      demand(row, found.least);
  }
#if defined(STRATA_ROW_LANES)
  void operator()(index_t first, GapSumInLanes::Lanes const& found) const
  {
    for (int u = 0; u < row_lanes; ++u) {
      keep(first + u, found.sum[u], static_cast<std::int32_t>(found.count[u]));
      demand(first + u, found.least[u]);
    }
  }
#endif
  KOKKOS_FUNCTION void keep(index_t row, double sum, std::int32_t count) const
  {
    sums[row] += sum;
    counts[row] += count;
  }
  /// All gaps of a row are at least that.
  KOKKOS_FUNCTION void demand(index_t row, double least) const
  {
    if (least < static_cast<double>(1000 * row))
      counts[row] = -1;
  }
};

/// Four rows that one work item of a test takes.
struct FourRows
{
  static constexpr int rows = 4;
  static constexpr bool in_lanes = false;
};
template <class Fold>
using KindFor = std::conditional_t<std::is_same_v<Fold, GapSumInLanes>, FilledRows, FourRows>;

template <class View, class Fold, How how>
struct SumGroups
{
  static constexpr char const* name() { return "strata::test::SumGroups"; }
  View view;
  double const* gaps;
  KeepSums<Fold> finish;

  KOKKOS_FUNCTION void operator()(index_t group) const
  {
    RowGroup<KindFor<Fold>> const rows(group, view.rows());
    auto const address = [this](index_t entry) { return gaps + entry; };
    if constexpr (how == How::all)
      detail::fold_all<Fold>(view, rows, address, finish);
    else
      fold_rows<Fold>(view, rows, address, finish);
  }
};

/// The same by teams which fold the rows that have values.
template <class View, class Fold>
struct SumFilledRows
{
  static constexpr char const* name() { return "strata::test::SumFilledRows"; }
  static constexpr int members = 32;
  static constexpr std::size_t scratch_bytes = filled_rows_bytes(members);
  View view;
  double const* gaps;
  KeepSums<Fold> finish;
  index_t teams;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    fold_filled_rows<Fold>(
        team, teams, view, [this](index_t entry) { return gaps + entry; }, finish);
  }
};

/// `launch(view, gaps, finish)` folds all rows.
template <class Fold, class S, class Launch>
void expect_sums(S const& store, std::vector<test::Row> const& expected, Launch const& launch)
{
  auto const view = store.rows.view();
  index_t const n = view.rows();
  test::Gaps const sums("strata::test::sums", Dynamic<1>(n));
  test::Ids const counts("strata::test::counts", Dynamic<1>(n));
  fill(sums, 0.0);
  fill(counts, 0);
  launch(view, store.gaps.data(), KeepSums<Fold>{sums.data(), counts.data()});
  auto const found = test::on_host(sums);
  auto const lengths = test::on_host(counts);
  for (index_t row = 0; row < n; ++row) {
    auto const& there = expected[static_cast<std::size_t>(row)];
    EXPECT_EQ(found.read()(row), there.sum_of_gaps) << row;
    EXPECT_EQ(lengths.read()(row), static_cast<std::int32_t>(there.ids.size())) << row;
  }
}

template <class Fold, How how, class S>
void expect_group_sums(S const& store, std::vector<test::Row> const& expected)
{
  expect_sums<Fold>(
      store, expected, [](auto const& view, auto const* gaps, auto const& finish) {
        for_each(RowGroup<KindFor<Fold>>::count(view.rows()),
                 SumGroups<std::decay_t<decltype(view)>, Fold, how>{view, gaps, finish});
      });
}

template <class Fold, class S>
void expect_sums_by_teams(S const& store, std::vector<test::Row> const& expected, index_t teams)
{
  auto const launch = [&](auto const& view, auto const* gaps, auto const& finish) {
    using Kernel = SumFilledRows<std::decay_t<decltype(view)>, Fold>;
    Kernel const kernel{view, gaps, finish, teams};
    if constexpr (device_is_host) // by as many members as a GPU's team has
      testing::run_on_threads<Kernel::members>(teams, kernel, Kernel::scratch_bytes);
    else
      for_each_team<Kernel::members>(teams, kernel);
  };
  expect_sums<Fold>(store, expected, launch);
}

template <class S>
class RowGroups : public ::testing::Test
{
};
TYPED_TEST_SUITE(RowGroups, test::Structures);

TYPED_TEST(RowGroups, FoldAllValuesOfTheirRows)
{
  for (index_t const n : {0, 1, 4, 5, 103, 700}) {
    Store<typename TypeParam::Rows> store(n, TypeParam::options);
    store.build();
    expect_group_sums<GapSum, How::here>(store, test::appended(n));
    expect_group_sums<GapSumInLanes, How::here>(store, test::appended(n));
    if constexpr (NumberedRowsView<typename TypeParam::Rows::view_type>) {
      expect_group_sums<GapSum, How::all>(store, test::appended(n));
      expect_group_sums<GapSumOfAll, How::all>(store, test::appended(n));
      for (index_t const teams : {1, 3}) {
        expect_sums_by_teams<GapSum>(store, test::appended(n), teams);
        expect_sums_by_teams<GapSumOfAll>(store, test::appended(n), teams);
      }
    }
  }
}

} // namespace

} // namespace strata::contact
