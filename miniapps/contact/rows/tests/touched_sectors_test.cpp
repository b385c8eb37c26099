#include "rows/contact_rows.hpp"
#include "rows/touched_sectors.hpp"

#include <gtest/gtest.h>

#include <set>
#include <type_traits>

namespace strata::contact {

namespace {

constexpr index_t row_count = 100;
constexpr index_t capacity = 16;

KOKKOS_FUNCTION index_t length_of(index_t row)
{
  return row % 3 == 0 ? 0 : row * 7 % 13;
}

template <class View>
struct AddAll
{
  static constexpr char const* name() { return "strata::test::AddAll"; }
  View view;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    for (index_t k = 0; k < length_of(row); ++k)
      view.add(row, 0.5, 0, 0);
  }
};

/// Of rows that have their first entry at first(row) and the others behind it, `step` apart.
template <class Rows, class First>
void expect_sectors(index_t step, First const& first)
{
  Contacts<Rows> rows(row_count, {.capacity = capacity});
  rows.build([](auto const& view) { return AddAll<std::decay_t<decltype(view)>>{view}; });
  std::set<index_t> expected;
  for (index_t row = 0; row < row_count; ++row)
    for (index_t k = 0; k < length_of(row); ++k)
      expected.insert((first(row) + k * step) * static_cast<index_t>(sizeof(double)) /
                      sector_bytes);
  EXPECT_EQ(touched_sectors(rows.view(), rows.slots()), static_cast<index_t>(expected.size()));
}

} // namespace

TEST(TouchedSectors, AreCountedOnceHoweverManyRowsShareThem)
{
  expect_sectors<DynamicRaggedRows<LayoutRight>>(1, [](index_t row) { return row * capacity; });
  expect_sectors<DynamicRaggedRows<LayoutLeft>>(row_count, [](index_t row) { return row; });
  expect_sectors<RaggedRows<>>(1, [](index_t row) {
    index_t before = 0;
    for (index_t other = 0; other < row; ++other)
      before += length_of(other);
    return before;
  });
}

} // namespace strata::contact
