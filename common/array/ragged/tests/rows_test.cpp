#include "row_structures.hpp"

#include "array/ragged/ragged.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata {

namespace {

using test::Store;
using test::Structure;

template <class S>
class Rows : public ::testing::Test
{
};
TYPED_TEST_SUITE(Rows, test::Structures);

/// Rows with entries that nobody can visit.
struct Unvisited
{
  static index_t rows() { return 0; }
  static index_t length(index_t) { return 0; }
};
static_assert(!RowsView<Unvisited>);
static_assert(NumberedRowsView<RaggedRowsView> && !ChangingRowsView<RaggedRowsView>);
static_assert(!NumberedRowsView<LinkedRowsView>); // but by walking them

TYPED_TEST(Rows, HaveViewsThatMayChangeThem)
{
  EXPECT_TRUE(ChangingRowsView<typename TypeParam::Rows::view_type>);
}

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

/// Writes something else than zeros to memory that the next arrays get.
void spoil_free_memory()
{
  std::vector<test::Gaps> spoilt;
  for (index_t n = 1 << 10; n <= 1 << 18; n *= 2) {
    spoilt.emplace_back("strata::test::spoilt", Dynamic<1>(n));
    fill(spoilt.back(), 0.5);
  }
  Kokkos::fence();
}

TYPED_TEST(Rows, GetRoomOfZeros)
{
  Store<typename TypeParam::Rows> store(103, TypeParam::options);
  fill(store.gaps, 0.0);
  for_each(103, store.template kernel<test::AppendIds>());
  spoil_free_memory();
  ASSERT_TRUE(store.rows.resolve_overflow(store.ids, store.gaps));
  double of_entries = 0;
  for (auto const& row : store.contents())
    of_entries += row.sum_of_gaps;
  auto const gaps = test::on_host(store.gaps);
  EXPECT_EQ(std::accumulate(gaps.data(), gaps.data() + gaps.size(), 0.0), of_entries);
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

/// Removes what is not present any more, by a word of bits where entries have numbers, and
/// appends what is and was not: gap = step of the append.
template <class View>
struct Update
{
  static constexpr char const* name() { return "strata::test::Update"; }
  View view;
  std::int32_t* ids;
  double* gaps;
  index_t step;
  bool by_word;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    remove(row);
    for (index_t id = 0; id < ids_of_row; ++id)
      if (present(row, id, step) && !has(row, id))
        append(row, id);
  }
  KOKKOS_FUNCTION void remove(index_t row) const
  {
    auto const ended = [&](index_t entry) { return !present(row, ids[entry], step); };
    auto const move = [&](index_t to, index_t from) {
      ids[to] = ids[from];
      gaps[to] = gaps[from];
    };
    if constexpr (NumberedRowsView<View>)
      if (by_word && view.numbered(row) == view.length(row)) {
        std::uint64_t removed = 0;
        for (int k = 0; k < static_cast<int>(view.length(row)); ++k)
          removed |= static_cast<std::uint64_t>(ended(view.entry(row, k))) << k;
        remove_numbered(view, row, removed, move);
        return;
      }
    view.remove_if(row, ended, move);
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
void update(S& store, index_t step, bool by_word = false)
{
  for_each_row(
      store.rows, Relaunch::from_kept,
      [&] {
        return Update<typename decltype(store.rows)::view_type>{
            store.rows.view(), store.ids.data(), store.gaps.data(), step, by_word};
      },
      store.ids, store.gaps);
}

TYPED_TEST(Rows, KeepWhatSurvivesAnUpdate)
{
  for (bool const by_word : {false, true}) {
    Store<typename TypeParam::Rows> store(61, TypeParam::options);
    for (index_t step = 0; step < 25; ++step) {
      update(store, step, by_word);
      EXPECT_EQ(store.contents(), updated(61, step + 1)) << by_word << " " << step;
    }
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
    EXPECT_FALSE(store.rows.resolve_overflow(store.ids, store.gaps));
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
  } catch (std::length_error const& error) {
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
    return store.rows.resolve_overflow(store.ids, store.gaps);
  };
  auto const overflowed = launch();
  EXPECT_GT(overflowed.refused, 0);
  EXPECT_EQ(overflowed.longest, 1000);
  for (int more = 0; more < 5 && launch(); ++more)
    store.rows.clear();
  store.rows.clear();
  EXPECT_FALSE(launch());
  EXPECT_EQ(store.contents(), test::appended(103));
}

} // namespace

} // namespace strata
