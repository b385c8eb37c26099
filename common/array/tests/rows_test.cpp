#include "ragged_rows.hpp"

#include "array/row_group.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace strata {

namespace {

using test::Store;

template <class R, Overflow Policy, index_t Capacity = 2>
struct Structure
{
  using Rows = R;
  static constexpr RowOptions options{.capacity = Capacity, .overflow = Policy, .pool = 20};
};

template <class S>
class Rows : public ::testing::Test
{
};
using Structures = ::testing::Types<
    Structure<DynamicRaggedRows<LayoutRight>, Overflow::grow>,
    Structure<DynamicRaggedRows<LayoutLeft>, Overflow::grow>,
    Structure<DynamicRaggedRows<LayoutTiled<32>>, Overflow::grow>,
    Structure<DynamicRaggedRows<LayoutRight>, Overflow::spill>,
    Structure<DynamicRaggedRows<LayoutRight>, Overflow::spill, 3>,
    Structure<DynamicRaggedRows<LayoutLeft>, Overflow::spill>,
    Structure<SlackRows<>, Overflow::grow>, Structure<SlackRows<>, Overflow::spill>,
    Structure<PagedRows<>, Overflow::grow>, Structure<LinkedRows<>, Overflow::grow>>;
TYPED_TEST_SUITE(Rows, Structures);

TYPED_TEST(Rows, AreBuiltWhateverTheirLengths)
{
  testing::Listener const listener;
  for (index_t const n : {0, 1, 4, 5, 103}) {
    Store<typename TypeParam::Rows> store(n, TypeParam::options);
    bool const refused = store.build() > 0;
    EXPECT_EQ(refused, store.rows.regrows() > 0);
    EXPECT_EQ(store.contents(), test::appended(n)) << n;
    EXPECT_EQ(row_totals(store.rows).longest, n > 4 ? 1000 : n > 2 ? 2 : n > 1 ? 1 : 0);
    EXPECT_GE(store.ids.size(), store.rows.slots());
    EXPECT_GE(store.gaps.size(), store.rows.slots());
  }
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

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

/// How the rows of a group are folded: as on this device, or as on a GPU.
enum class How
{
  here,
  all,
  those_with_values
};

template <class View, class Fold, How how>
struct SumGroups
{
  static constexpr char const* name() { return "strata::test::SumGroups"; }
  View view;
  double const* gaps;
  double* sums;
  std::int32_t* counts;

  KOKKOS_FUNCTION void operator()(index_t group) const
  {
    RowGroup<4> const rows(group, view.rows());
    auto const address = [this](index_t entry) { return gaps + entry; };
    auto const finish = [this](index_t row, Fold const& found) {
      sums[row] += found.sum;
      counts[row] += static_cast<std::int32_t>(found.count);
      if constexpr (requires { found.least; })
        if (found.least < static_cast<double>(1000 * row)) // which all gaps are at least
          counts[row] = -1;
    };
    if constexpr (how == How::all)
      detail::fold_all<Fold>(view, rows, address, finish);
    else if constexpr (how == How::those_with_values)
      detail::fold_those_with_values<Fold>(view, rows, address, finish);
    else
      fold_rows<Fold>(view, rows, address, finish);
  }
};

template <class Fold, How how, class S>
void expect_group_sums(S const& store, std::vector<test::Row> const& expected)
{
  auto const view = store.rows.view();
  index_t const n = view.rows();
  test::Gaps const sums("strata::test::sums", Dynamic<1>(n));
  test::Ids const counts("strata::test::counts", Dynamic<1>(n));
  fill(sums, 0.0);
  fill(counts, 0);
  for_each(RowGroup<4>::count(n), SumGroups<std::decay_t<decltype(view)>, Fold, how>{
                                      view, store.gaps.data(), sums.data(), counts.data()});
  auto const found = test::on_host(sums);
  auto const lengths = test::on_host(counts);
  for (index_t row = 0; row < n; ++row) {
    auto const& there = expected[static_cast<std::size_t>(row)];
    EXPECT_EQ(found.read()(row), there.sum_of_gaps) << row;
    EXPECT_EQ(lengths.read()(row), static_cast<std::int32_t>(there.ids.size())) << row;
  }
}

TYPED_TEST(Rows, AreFoldedByGroups)
{
  for (index_t const n : {0, 1, 4, 5, 103}) {
    Store<typename TypeParam::Rows> store(n, TypeParam::options);
    store.build();
    expect_group_sums<GapSum, How::here>(store, test::appended(n));
    if constexpr (NumberedEntries<typename TypeParam::Rows::view_type>) {
      expect_group_sums<GapSum, How::all>(store, test::appended(n));
      expect_group_sums<GapSumOfAll, How::all>(store, test::appended(n));
      expect_group_sums<GapSum, How::those_with_values>(store, test::appended(n));
      expect_group_sums<GapSumOfAll, How::those_with_values>(store, test::appended(n));
    }
  }
}

TYPED_TEST(Rows, CanBeBuiltAgainInTheSameMemory)
{
  Store<typename TypeParam::Rows> store(103, TypeParam::options);
  EXPECT_GT(store.build(), 0);
  testing::Listener const listener;
  for (int again = 0; again < 3; ++again) {
    store.rows.clear();
    EXPECT_EQ(row_totals(store.rows).entries, 0);
    EXPECT_EQ(store.build(), 0);
  }
  EXPECT_EQ(listener.allocations(), std::vector<std::string>());
  EXPECT_EQ(store.contents(), test::appended(103));
}

/// Whether a row has an id at a step; some stay for long.
KOKKOS_FUNCTION bool present(index_t row, index_t id, index_t step)
{
  return row % 5 != 1 && (7 * row + 3 * id + step / (1 + id % 4)) % 5 < 2;
}
constexpr index_t ids_of_row = 40;

/// Removes what is not present any more, appends what is and was not: gap = step of the append.
template <class View>
struct Update
{
  static constexpr char const* name() { return "strata::test::Update"; }
  View view;
  std::int32_t* ids;
  double* gaps;
  index_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    view.remove_if(
        row, [&](index_t entry) { return !present(row, ids[entry], step); },
        [&](index_t to, index_t from) {
          ids[to] = ids[from];
          gaps[to] = gaps[from];
        });
    for (index_t id = 0; id < ids_of_row; ++id)
      if (present(row, id, step) && !has(row, id))
        append(row, id);
  }
  KOKKOS_FUNCTION bool has(index_t row, index_t id) const
  {
    bool found = false;
    view.for_each_entry(row, [&](index_t entry) { found = found || ids[entry] == id; });
    return found;
  }
  KOKKOS_FUNCTION void append(index_t row, index_t id) const
  {
    index_t const entry = view.append(row);
    if (entry < 0)
      return;
    ids[entry] = static_cast<std::int32_t>(id);
    gaps[entry] = static_cast<double>(step);
  }
};

/// What rows come to that have been updated at steps [0, steps).
std::vector<test::Row> updated(index_t rows, index_t steps)
{
  std::vector<test::Row> expected(static_cast<std::size_t>(rows));
  for (index_t row = 0; row < rows; ++row)
    for (index_t id = 0; id < ids_of_row; ++id) {
      if (!present(row, id, steps - 1))
        continue;
      index_t born = steps - 1;
      while (born > 0 && present(row, id, born - 1))
        --born;
      auto& here = expected[static_cast<std::size_t>(row)];
      here.ids.push_back(static_cast<std::int32_t>(id));
      here.sum_of_gaps += static_cast<double>(born);
    }
  return expected;
}

template <class S>
void update(S& store, index_t step)
{
  for_each_row(
      store.rows, Redo::from_kept,
      [&] {
        return Update<typename decltype(store.rows)::view_type>{
            store.rows.view(), store.ids.data(), store.gaps.data(), step};
      },
      store.ids, store.gaps);
}

TYPED_TEST(Rows, KeepWhatSurvivesAnUpdate)
{
  Store<typename TypeParam::Rows> store(61, TypeParam::options);
  for (index_t step = 0; step < 25; ++step) {
    update(store, step);
    EXPECT_EQ(store.contents(), updated(61, step + 1)) << step;
  }
}

TYPED_TEST(Rows, AllocateNothingOnceTheyHaveRoom)
{
  Store<typename TypeParam::Rows> store(61, TypeParam::options);
  for (index_t step = 0; step < 60; ++step) // twice through the pattern of `present`
    update(store, step);
  index_t const slots = store.rows.slots();
  testing::Listener const listener;
  for (index_t step = 60; step < 120; ++step)
    update(store, step);
  EXPECT_EQ(listener.allocations(), std::vector<std::string>());
  EXPECT_EQ(store.rows.slots(), slots);
  EXPECT_EQ(store.contents(), updated(61, 120));
}

/// Removes the entry of one id.
template <class View>
struct RemoveId
{
  static constexpr char const* name() { return "strata::test::RemoveId"; }
  View view;
  std::int32_t* ids;
  double* gaps;
  index_t id;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t found = -1;
    view.for_each_entry(row, [&](index_t entry) {
      if (ids[entry] == id)
        found = entry;
    });
    if (found >= 0)
      view.remove(row, found, [&](index_t to, index_t from) {
        ids[to] = ids[from];
        gaps[to] = gaps[from];
      });
  }
};

TYPED_TEST(Rows, LoseTheEntryThatIsRemoved)
{
  for (index_t const id : {0, 1, 7, 9, 500, 999}) {
    Store<typename TypeParam::Rows> store(29, TypeParam::options);
    store.build();
    for_each(29, RemoveId<typename TypeParam::Rows::view_type>{
                     store.rows.view(), store.ids.data(), store.gaps.data(), id});
    EXPECT_FALSE(store.rows.settle(store.ids, store.gaps));
    auto expected = test::appended(29);
    for (std::size_t row = 0; row < expected.size(); ++row)
      if (std::erase(expected[row].ids, static_cast<std::int32_t>(id)) > 0)
        expected[row].sum_of_gaps -=
            1000.0 * static_cast<double>(row) + static_cast<double>(id);
    EXPECT_EQ(store.contents(), expected) << id;
  }
}

TYPED_TEST(Rows, NameTheRowOfTheGreatestDemandWhereOverflowFails)
{
  auto options = TypeParam::options;
  options.overflow = Overflow::fail;
  Store<typename TypeParam::Rows> store(103, options);
  try {
    store.build();
    FAIL() << "all found room";
  } catch (RowOverflow const& error) {
    EXPECT_EQ(error.exit(), Exit::memory);
    EXPECT_EQ(error.row(), 4);
    EXPECT_EQ(error.demand(), 1000);
    EXPECT_EQ(error.what(),
              "row 4 of 'strata::test::rows' has 1000 entries and found room for " +
                  std::to_string(error.room()) +
                  "; start with more room or choose another overflow policy");
  }
}

TYPED_TEST(Rows, MayNotGrowPastWhatIsAllowed)
{
  auto options = TypeParam::options;
  options.max_slots = 1100;
  Store<typename TypeParam::Rows> store(103, options);
  auto const slots = store.rows.slots();
  try {
    store.build();
    FAIL() << "they grew";
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::memory);
    std::string const what = error.what();
    EXPECT_TRUE(what.starts_with("'strata::test::rows' needs room for ")) << what;
    EXPECT_TRUE(what.ends_with(" entries and may have 1100 entries")) << what;
  }
  EXPECT_EQ(store.rows.slots(), slots); // whole as it was
  EXPECT_EQ(store.ids.size(), slots);
}

template <class S>
class AtomicRows : public ::testing::Test
{
};
using AtomicStructures =
    ::testing::Types<Structure<DynamicRaggedRows<LayoutRight>, Overflow::grow>,
                     Structure<DynamicRaggedRows<LayoutRight>, Overflow::spill, 3>,
                     Structure<DynamicRaggedRows<LayoutLeft>, Overflow::spill>,
                     Structure<SlackRows<>, Overflow::grow>,
                     Structure<SlackRows<>, Overflow::spill>,
                     Structure<LinkedRows<>, Overflow::grow>>;
TYPED_TEST_SUITE(AtomicRows, AtomicStructures);

TYPED_TEST(AtomicRows, TakeEntriesFromAnyWorkItem)
{
  Store<typename TypeParam::Rows> store(103, TypeParam::options);
  auto const launch = [&] {
    for_each(in_order_of<LayoutRight>(Dynamic<2>(1000, 103)),
             store.template kernel<test::AppendAtOnce>());
    return store.rows.settle(store.ids, store.gaps);
  };
  auto const unfinished = launch();
  EXPECT_GT(unfinished.refused, 0);
  EXPECT_EQ(unfinished.longest, 1000);
  for (int more = 0; more < 5 && launch(); ++more)
    store.rows.clear();
  store.rows.clear();
  EXPECT_FALSE(launch());
  EXPECT_EQ(store.contents(), test::appended(103));
}

} // namespace

} // namespace strata
