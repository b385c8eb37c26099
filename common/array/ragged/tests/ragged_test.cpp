#include "ragged_rows.hpp"

#include "array/ragged/ragged.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace strata {

namespace {

using Offsets = EntryValues<index_t>;

/// Every row has 2^31 + row entries.
struct Huge
{
  KOKKOS_FUNCTION index_t operator()(index_t row) const { return (index_t{1} << 31) + row; }
};

std::vector<index_t> scanned(index_t n, auto const& counts)
{
  Offsets const offsets("strata::test::offsets", Dynamic<1>(n + 1));
  index_t const total = exclusive_scan(counts, offsets.write());
  auto const host = test::on_host(offsets);
  std::vector<index_t> const found(host.data(), host.data() + host.size());
  EXPECT_EQ(total, found.back());
  return found;
}

TEST(Scan, SumsTheCountsBeforeEach)
{
  testing::Listener const listener;
  for (index_t const n : {0, 1, 2, 1000, 100003}) {
    auto const found = scanned(n, test::Uneven());
    index_t sum = 0;
    for (index_t row = 0; row < n; sum += test::Uneven{}(row++))
      ASSERT_EQ(found[static_cast<std::size_t>(row)], sum);
    EXPECT_EQ(found.back(), sum);
  }
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(Scan, PassesWhat32BitsHold)
{
  EXPECT_EQ(scanned(5, Huge()), (std::vector<index_t>{0, 2147483648, 4294967297, 6442450947,
                                                      8589934598, 10737418250}));
}

TEST(Scan, MayOverwriteItsCounts)
{
  Offsets const offsets("strata::test::offsets", Dynamic<1>(1001));
  auto const span = offsets.write();
  fill(offsets, index_t{3});
  EXPECT_EQ(exclusive_scan(span, span), 3000);
  auto const host = test::on_host(offsets);
  for (index_t i = 0; i <= 1000; ++i)
    ASSERT_EQ(host.read()(i), 3 * i);
}

TEST(Scan, HasSumsOfTheOffsetsType)
{
  EntryValues<std::int32_t> const counts("strata::test::counts", Dynamic<1>(100'001));
  auto const span = counts.write();
  fill(counts, 7);
  scan(span, span);
  auto const host = test::on_host(counts);
  for (std::int32_t i = 0; i <= 100'000; ++i)
    ASSERT_EQ(host.read()(i), 7 * i);
}

TEST(Ragged, HasOffsetsPast32BitsWithoutTheirMemory)
{
  RaggedRows<> const rows("strata::test::rows", 5, Huge());
  EXPECT_EQ(rows.rows(), 5);
  EXPECT_EQ(rows.slots(), 10737418250);
  EXPECT_EQ(rows.memory_bytes(), 6 * 8);
  if constexpr (device_is_host) {
    auto const view = rows.view();
    EXPECT_EQ(view.length(4), 2147483652);
    EXPECT_EQ(view.entry(4, 7), 8589934605);
  }
}

/// Sets element j of row i, or i of column j, to 1000 line + place.
template <class A, Lines Of>
struct SetElements
{
  static constexpr char const* name() { return "strata::test::SetElements"; }
  A a;

  KOKKOS_FUNCTION void operator()(index_t line) const
  {
    for (index_t k = 0; k < a.length(line); ++k) {
      index_t const i = Of == Lines::rows ? line : k;
      index_t const j = Of == Lines::rows ? k : line;
      a(i, j) = static_cast<double>(1000 * line + k);
    }
  }
};

template <class A, Lines Of>
void hold_lines_together()
{
  testing::Listener const listener;
  A const array("strata::test::ragged", 17, test::Uneven());
  auto const a = array.write();
  for_each(17, SetElements<decltype(a), Of>{a});
  auto const host = test::on_host(array.values());
  index_t at = 0;
  for (index_t line = 0; line < 17; ++line)
    for (index_t k = 0; k < test::Uneven{}(line); ++k)
      ASSERT_EQ(host.read()(at++), static_cast<double>(1000 * line + k));
  EXPECT_EQ(at, array.values().size());
  EXPECT_EQ(array.memory_bytes(), 18 * 8 + 8 * at);
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(Ragged, RightHoldsRowsTogether)
{
  hold_lines_together<RaggedRight<double>, Lines::rows>();
}

TEST(Ragged, DownHoldsColumnsTogether)
{
  hold_lines_together<RaggedDown<double>, Lines::columns>();
}

TEST(Ragged, MayHaveNoRowsAndNoEntries)
{
  EXPECT_EQ(RaggedRight<double>().lines(), 0);
  RaggedRight<double> const none("strata::test::none", 0, test::Uneven());
  EXPECT_EQ(none.lines(), 0);
  EXPECT_EQ(none.values().size(), 0);
  RaggedRows<> const empty("strata::test::empty", 7);
  EXPECT_EQ(row_totals(empty).entries, 0);
  EXPECT_EQ(empty.rows(), 7);
}

TEST(Ragged, IsBuiltByOneKernelThatCountsAndThenFills)
{
  testing::Listener const listener;
  RaggedRows<> rows("strata::test::rows", 103);
  test::Ids ids("strata::test::ids", Dynamic<1>(1));
  test::Gaps gaps("strata::test::gaps", Dynamic<1>(1));
  for (int again = 0; again < 2; ++again) {
    auto const counting = rows.counting();
    for_each(103, test::AppendIds<RaggedCountView>{counting, ids.data(), gaps.data()});
    reserve(ids, rows.index());
    reserve(gaps, rows.slots());
    auto const filling = rows.filling();
    for_each(103, test::AppendIds<RaggedFillView>{filling, ids.data(), gaps.data()});
    rows.check_filled();
    EXPECT_EQ(test::read_rows(rows.view(), ids, gaps), test::appended(103));
  }
  EXPECT_EQ(row_totals(rows).entries, rows.entries());
  EXPECT_EQ(row_totals(rows).longest, 1000);
  EXPECT_EQ(rows.memory_bytes(), 104 * 8 + 103 * 4);
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

/// Appends some entries fewer or more to row 3 than there are; all at once, or one by one.
template <class View>
struct AppendOff
{
  static constexpr char const* name() { return "strata::test::AppendOff"; }
  View view;
  index_t off;
  bool at_once;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t const entries = 5 + (row == 3 ? off : 0);
    if constexpr (requires { view.append(row, entries); })
      if (at_once) {
        index_t const first = view.append(row, entries);
        if (first == (entries <= 5 ? 5 * row : -1))
          return;
        view.append(row,
                    entries == 5 ? 1 : 5 - entries); // wrong rows look right, right ones wrong
        return;
      }
    for (index_t k = 0; k < entries; ++k)
      view.append(row);
  }
};

TEST(Ragged, SeesThatARowIsNotFilledAsCounted)
{
  for (auto const& [off, at_once] :
       {std::pair(-1, false), {0, false}, {1, false}, {-1, true}, {0, true}, {1, true}}) {
    RaggedRows<> rows("strata::test::rows", 9);
    auto const counting = rows.counting();
    for_each(9, AppendOff<RaggedCountView>{counting, 0, false});
    rows.index();
    auto const filling = rows.filling();
    for_each(9, AppendOff<RaggedFillView>{filling, off, at_once});
    if (off == 0) {
      rows.check_filled();
      continue;
    }
    try {
      rows.check_filled();
      FAIL() << off;
    } catch (std::invalid_argument const& error) {
      EXPECT_NE(std::string(error.what())
                    .find("1 rows of 'strata::test::rows' were not filled with the entries "
                          "counted for them"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Ragged, IsCopiedWithItsOffsets)
{
  RaggedRight<double> const device("strata::test::a", 103, test::Uneven{});
  fill(device.values(), 2.5);
  auto const rows = device.rows().mirror<HostSpace>();
  RaggedArray<double, RaggedRows<HostSpace>, Lines::rows> const host("strata::test::host",
                                                                     rows);
  copy(host, device);
  auto const found = host.read();
  for (index_t row = 0; row < 103; ++row) {
    EXPECT_EQ(found.length(row), test::Uneven{}(row));
    if (found.length(row) > 0) {
      EXPECT_EQ(found(row, found.length(row) - 1), 2.5);
    }
  }
  RaggedRight<double> const other("strata::test::other", 102, test::Uneven{});
  EXPECT_THROW(copy(host, other), std::invalid_argument);
}

} // namespace

} // namespace strata
