#include "ragged_rows.hpp"

#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata {

namespace {

using test::Store;

/// Line l gets the values 1000 l + k.
template <class A>
struct AppendValues
{
  static constexpr char const* name() { return "strata::test::AppendValues"; }
  A a;

  KOKKOS_FUNCTION void operator()(index_t line) const
  {
    for (index_t k = a.length(line); k < test::Uneven{}(line); ++k)
      if (!a.append(line, static_cast<double>(1000 * line + k)))
        return;
  }
};

/// out(line) = Σ (k + 1) · element k of the line, by its indices.
template <class A, Lines Of>
struct WeighElements
{
  static constexpr char const* name() { return "strata::test::WeighElements"; }
  A a;
  double* out;

  KOKKOS_FUNCTION void operator()(index_t line) const
  {
    out[line] = 0;
    for (index_t k = 0; k < a.length(line); ++k)
      out[line] += static_cast<double>(k + 1) * (Of == Lines::rows ? a(line, k) : a(k, line));
  }
};

template <class A, Lines Of>
void keep_elements_in_order()
{
  testing::Listener const listener;
  A array("strata::test::ragged", 17, RowOptions{.capacity = 3});
  int launches = 0;
  do {
    auto const a = array.write();
    for_each(17, AppendValues<decltype(a)>{a});
    ++launches;
  } while (array.resolve_overflow());
  EXPECT_GT(launches, 2); // a line that is refused one entry asks for no more
  test::Gaps const found("strata::test::found", Dynamic<1>(17));
  auto const a = array.read();
  for_each(17, WeighElements<decltype(a), Of>{a, found.data()});
  auto const host = test::on_host(found);
  for (index_t line = 0; line < 17; ++line) {
    double expected = 0;
    for (index_t k = 0; k < test::Uneven{}(line); ++k)
      expected += static_cast<double>((k + 1) * (1000 * line + k));
    EXPECT_EQ(host.read()(line), expected) << line;
  }
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(DynamicRagged, RightHasRowsThatGrow)
{
  keep_elements_in_order<DynamicRaggedRight<double>, Lines::rows>();
  keep_elements_in_order<DynamicRaggedRight<double, DeviceSpace, LayoutLeft>, Lines::rows>();
}

TEST(DynamicRagged, DownHasColumnsThatGrow)
{
  keep_elements_in_order<DynamicRaggedDown<double>, Lines::columns>();
}

TEST(DynamicRagged, SlackKeepsElementsInOrder)
{
  keep_elements_in_order<RaggedSlack<double>, Lines::rows>();
}

/// Line l: values 0 to l % 8 are appended, 100 is inserted at every place in turn, and every
/// second value is removed.
template <class A>
struct InsertAndRemove
{
  static constexpr char const* name() { return "strata::test::InsertAndRemove"; }
  A a;

  KOKKOS_FUNCTION void operator()(index_t line) const
  {
    index_t const count = line % 8;
    for (index_t k = 0; k < count; ++k)
      a.append(line, static_cast<double>(k));
    for (index_t k = 0; k <= count; ++k)
      a.insert(line, 2 * k, 100);
    for (index_t k = 0; k < a.length(line); ++k)
      a.remove(line, k);
  }
};

/// What that comes to: of 100, 0, 100, 1, ..., 100 every second one is left.
std::vector<double> inserted_and_removed(index_t line)
{
  std::vector<double> values;
  for (index_t k = 0; k < line % 8; ++k)
    values.push_back(static_cast<double>(k));
  return values;
}

template <class A, Lines Of>
void insert_and_remove()
{
  A const array("strata::test::a", 17, RowOptions{.capacity = 16});
  auto const a = array.write();
  for_each(17, InsertAndRemove<decltype(a)>{a});
  auto const host = array.rows().template mirror<HostSpace>();
  RaggedArray<double, std::remove_const_t<decltype(host)>, Of> const found(
      "strata::test::found", host);
  copy(found, array);
  auto const read = found.read();
  for (index_t line = 0; line < 17; ++line) {
    std::vector<double> values;
    for (index_t k = 0; k < read.length(line); ++k)
      values.push_back(Of == Lines::rows ? read(line, k) : read(k, line));
    EXPECT_EQ(values, inserted_and_removed(line)) << line;
  }
}

TEST(DynamicRagged, TakesInsertionsAndRemovalsInOrder)
{
  insert_and_remove<DynamicRaggedRight<double>, Lines::rows>();
  insert_and_remove<DynamicRaggedDown<double>, Lines::columns>();
  insert_and_remove<DynamicRaggedRight<double, DeviceSpace, LayoutLeft>, Lines::rows>();
}

/// The values of each line, spilled ones among them, in ascending order.
std::vector<std::vector<double>> ids_on_host(DynamicRaggedRight<double> const& array)
{
  auto const rows = array.rows().mirror<HostSpace>();
  RaggedArray<double, std::remove_const_t<decltype(rows)>, Lines::rows> const host(
      "strata::test::host", rows);
  copy(host, array);
  std::vector<std::vector<double>> lines(static_cast<std::size_t>(rows.rows()));
  auto const view = rows.view();
  for (index_t line = 0; line < rows.rows(); ++line) {
    auto& values = lines[static_cast<std::size_t>(line)];
    view.for_each_entry(line, [&](index_t entry) { values.push_back(host.values()(entry)); });
    std::sort(values.begin(), values.end());
  }
  return lines;
}

TEST(DynamicRagged, IsCopiedWithWhatItSpilled)
{
  RowOptions const options{.capacity = 3, .overflow = Overflow::spill, .pool = 2000};
  DynamicRaggedRight<double> const a("strata::test::a", 17, options);
  auto const from = a.write();
  for_each(17, AppendValues<decltype(from)>{from});
  DynamicRaggedRight<double> const b("strata::test::b", 17, options);
  copy(b, a);
  auto const at_a = ids_on_host(a);
  EXPECT_EQ(at_a, ids_on_host(b));
  for (index_t line = 0; line < 17; ++line)
    EXPECT_EQ(static_cast<index_t>(at_a[static_cast<std::size_t>(line)].size()),
              test::Uneven{}(line));
  if constexpr (device_is_host) {
    EXPECT_EQ(host_mirror(a).values().data(), a.values().data());
  }
  DynamicRaggedRight<double> const narrow("strata::test::narrow", 17,
                                          RowOptions{.capacity = 2});
  try {
    copy(narrow, a);
    FAIL() << "there is no room";
  } catch (std::invalid_argument const& error) {
    EXPECT_STREQ(error.what(), "'strata::test::narrow rows' has 17 rows with room for 34 "
                               "entries, what is copied to it has others");
  }
}

TEST(DynamicRagged, LiesInTheLayoutsOrder)
{
  RowOptions const options{.capacity = 7};
  auto const right = DynamicRaggedRows<LayoutRight>("strata::test::rows", 100, options).view();
  auto const left = DynamicRaggedRows<LayoutLeft>("strata::test::rows", 100, options).view();
  auto const tiled =
      DynamicRaggedRows<LayoutTiled<32>>("strata::test::rows", 100, options).view();
  EXPECT_EQ(right.entry(33, 5), 33 * 7 + 5);
  EXPECT_EQ(left.entry(33, 5), 5 * 100 + 33);
  EXPECT_EQ(tiled.entry(33, 5), 1 * 32 * 7 + 5 * 32 + 1);
}

TEST(DynamicRagged, GrowsOnceToAQuarterPastTheGreatestDemand)
{
  Store<DynamicRaggedRows<>> store(103, {.capacity = 6});
  index_t expected = 0; // past the capacity
  for (index_t row = 0; row < 103; ++row)
    expected += std::max<index_t>(test::Uneven{}(row)-6, 0);
  EXPECT_EQ(store.build(), expected);
  EXPECT_EQ(store.rows.regrows(), 1);
  EXPECT_EQ(store.rows.capacity(), 1256); // 1.25 · 1000 in eights
  EXPECT_EQ(store.rows.slots(), 103 * 1256);
}

TEST(DynamicRagged, DoesOnlyTheRowsAgainThatOverflow)
{
  Store<DynamicRaggedRows<>> store(103, {.capacity = 10});
  for_each(103, store.kernel<test::AppendIds>());
  auto const overflowed = store.rows.resolve_overflow(store.ids, store.gaps);
  EXPECT_EQ(overflowed.refused, 990);
  EXPECT_EQ(overflowed.longest, 1000);
  auto const list = test::on_host(overflowed.rows);
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(list.read()(0), 4);
  EXPECT_FALSE(store.rows.resolve_overflow(store.ids, store.gaps)); // said once
  auto expected = test::appended(103); // all else is there, and of row 4 what had room
  expected[4].ids.resize(10);
  expected[4].sum_of_gaps = 10 * 4000 + 45;
  EXPECT_EQ(store.contents(), expected);
}

TEST(DynamicRagged, SpillsIntoThePoolAloneAndGrowsThat)
{
  Store<DynamicRaggedRows<>> store(103,
                                   {.capacity = 10, .overflow = Overflow::spill, .pool = 1000});
  EXPECT_EQ(store.build(), 0); // 990 spilled
  EXPECT_EQ(store.rows.slots(), 103 * 10 + 1000);
  EXPECT_EQ(store.contents(), test::appended(103));

  Store<DynamicRaggedRows<>> small(103,
                                   {.capacity = 10, .overflow = Overflow::spill, .pool = 500});
  EXPECT_EQ(small.build(), 490);
  EXPECT_EQ(small.rows.regrows(), 1);
  EXPECT_EQ(small.rows.capacity(), 10);
  EXPECT_EQ(small.rows.slots(), 103 * 10 + 1240); // 1.25 · 990 in eights
  EXPECT_EQ(small.contents(), test::appended(103));
}

TEST(DynamicRagged, SaysWhichRowWantsWhatWhereOverflowFails)
{
  Store<DynamicRaggedRows<>> store(103, {.capacity = 8, .overflow = Overflow::fail});
  try {
    store.build();
    FAIL() << "all found room";
  } catch (RowOverflow const& error) {
    EXPECT_STREQ(error.what(),
                 "row 4 of 'strata::test::rows' has 1000 entries and found room for 8; start "
                 "with more room or choose another overflow policy");
  }
}

TEST(DynamicRagged, SaysWhatItWouldNeedWhereItMayNotGrow)
{
  Store<DynamicRaggedRows<>> store(103, {.capacity = 8, .max_slots = 129367});
  try {
    store.build();
    FAIL() << "it grew";
  } catch (std::length_error const& error) {
    EXPECT_STREQ(error.what(),
                 "'strata::test::rows' needs room for 129368 entries and may have 129367 "
                 "entries");
  }
}

TEST(DynamicRagged, TellsItsBytes)
{
  RowOptions const options{.capacity = 6, .pool = 80};
  RowOptions const spill{.capacity = 6, .overflow = Overflow::spill, .pool = 80};
  constexpr index_t refusals = 100 * 4 + 8;
  constexpr index_t state = 40; // of a pool
  constexpr index_t node = 4 + 8;
  EXPECT_EQ(DynamicRaggedRows<>("strata::test::rows", 100, options).memory_bytes(),
            100 * 4 + refusals);
  EXPECT_EQ(DynamicRaggedRows<>("strata::test::rows", 100, spill).memory_bytes(),
            100 * (4 + 4) + 80 * node + state + refusals);
  EXPECT_EQ(SlackRows<>("strata::test::rows", 100, options).memory_bytes(),
            101 * 8 + 100 * 4 + refusals);
  EXPECT_EQ(PagedRows<>("strata::test::rows", 100, options).memory_bytes(),
            100 * (4 + 4) + 10 * node + state + refusals);
  EXPECT_EQ(LinkedRows<>("strata::test::rows", 100, options).memory_bytes(),
            100 * 4 + 80 * node + state + refusals);
  DynamicRaggedRight<double> const array("strata::test::ragged", 100, options);
  EXPECT_EQ(array.memory_bytes(), 100 * 4 + refusals + 100 * 6 * 8);
}

/// Row r is to have r entries.
struct Ramp
{
  KOKKOS_FUNCTION index_t operator()(index_t row) const { return row; }
};

TEST(Slack, HasRoomForAQuarterMore)
{
  SlackRows<> const rows("strata::test::rows", 21, Ramp());
  index_t expected = 0;
  for (index_t n = 0; n < 21; ++n)
    expected += n + std::max<index_t>(2, n / 4);
  EXPECT_EQ(rows.slots(), expected);
  if constexpr (device_is_host) {
    EXPECT_EQ(rows.view().capacity(0), 2);
    EXPECT_EQ(rows.view().capacity(20), 25);
  }
}

TEST(Slack, IsRepackedAroundWhatItHas)
{
  Store<SlackRows<>> store(103);
  store.build();
  auto const slots = store.rows.slots();
  EXPECT_EQ(store.rows.regrows(), 1);
  store.rows.repack(store.ids, store.gaps); // as it was packed last
  EXPECT_EQ(store.rows.slots(), slots);
  EXPECT_EQ(store.contents(), test::appended(103));
  store.rows.clear();
  store.rows.repack(store.ids, store.gaps);
  EXPECT_EQ(store.rows.slots(), 103 * 2);
  EXPECT_EQ(store.ids.size(), 103 * 2);
}

TEST(Slack, SharesAPoolUntilThatIsFull)
{
  Store<SlackRows<>> store(103, {.overflow = Overflow::spill, .pool = 2000});
  EXPECT_EQ(store.rows.slots(), 103 * 2);
  store.rows.repack(store.ids, store.gaps); // of nothing: the pool is there
  EXPECT_EQ(store.rows.slots(), 103 * 2 + 2000);
  EXPECT_EQ(store.rows.memory_bytes(),
            104 * 8 + 103 * (4 + 4) + 2000 * (4 + 8) + 40 + 103 * 4 + 8);
  EXPECT_EQ(store.build(), 0);
  EXPECT_EQ(store.rows.regrows(), 1);
  EXPECT_EQ(store.contents(), test::appended(103));
  store.rows.repack(store.ids, store.gaps); // which takes along what the pool has
  EXPECT_EQ(store.contents(), test::appended(103));
  auto const slots = store.rows.slots();
  store.rows.repack(store.ids, store.gaps);
  EXPECT_EQ(store.rows.slots(), slots);
}

template <class Rows>
void refuses_to_spill()
{
  try {
    Rows const rows("strata::test::rows", 1, {.overflow = Overflow::spill});
    FAIL() << "it was made";
  } catch (std::invalid_argument const& error) {
    EXPECT_STREQ(error.what(),
                 "'strata::test::rows' has no buffers to spill from: its overflow "
                 "grows or fails");
  }
}

TEST(Overflow, IsNotSpilledByWhatHasNoBuffers)
{
  refuses_to_spill<PagedRows<>>();
  refuses_to_spill<LinkedRows<>>();
}

} // namespace

} // namespace strata
