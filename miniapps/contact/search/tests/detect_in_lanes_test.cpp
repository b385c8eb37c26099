#include "array/launch/for_each.hpp"
#include "array/ragged/dynamic_ragged.hpp"
#include "rows/contact_rows.hpp"
#include "search/detect.hpp"
#include "search/detect_in_lanes.hpp"
#include "search/tests/spheres.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace strata::contact {

#if defined(STRATA_LANES)

namespace {

/// Searches as a host does, by vectors of slots.
template <class Rows>
void expect_all_found_in_lanes(Spheres const& spheres, RowOptions const& options = {})
{
  Rows rows(spheres.rows, options);
  KeptRows kept;
  TouchingSpheres touch{spheres.grid.sorted()};
  touch.in.half_list = spheres.geometry.half_list;
  index_t const slots = spheres.grid.slots();
  constexpr std::int32_t step = 3;
  rows.build_born(
      step,
      [&](auto const& rows_view) {
        auto const view = kept.with(rows_view, slots, 0);
        return Detect<TouchingSpheres, std::remove_const_t<decltype(view)>>{
            touch, spheres.grid.cells(), spheres.grid.slot_of(), view, step};
      },
      [&]<class Kernel>(index_t count, Kernel const& kernel) {
        for_each((slots + lanes - 1) / lanes, DetectInLanes<Kernel>{kernel, slots, count});
      });
  EXPECT_EQ(rows_of(rows), by_all(spheres)) << slots << " slots";
  auto const view = rows.view();
  for (index_t row = 0; row < rows.rows(); ++row)
    view.for_each_entry(row, [&](index_t entry) { EXPECT_EQ(view.born(entry), step); });
}

void expect_all_found_in_lanes(Spheres const& spheres)
{
  expect_all_found_in_lanes<Contacts<RaggedRows<>>>(spheres);
  RowOptions options;
  options.capacity = 4; // some find no room at first
  expect_all_found_in_lanes<Contacts<DynamicRaggedRows<LayoutRight>>>(spheres, options);
}

} // namespace

class SearchInLanes : public ::testing::Test
{
protected:
  void SetUp() override
  {
    if (!device_is_host)
      GTEST_SKIP() << "a device searches by teams";
  }
};

// Slots of several lines of cells, and the last ones of fewer than there are lanes.
TEST_F(SearchInLanes, FindsAll)
{
  for (index_t const count : {1, 7, 9, 60, 1501})
    for (double const radius : {0.05, 0.25, 0.4})
      expect_all_found_in_lanes(Spheres(count, radius));
}

// One line of some 400 cells, four a slot: eight slots lie about as far apart as are searched
// for at once, some of them further.
TEST_F(SearchInLanes, FindsAllOfALineWithGaps)
{
  expect_all_found_in_lanes(Spheres(100, 2.5, false, Broad::grid, 4000));
  expect_all_found_in_lanes(Spheres(100, 2.5, false, Broad::hash, 4000));
}

TEST_F(SearchInLanes, SearchesAgainWhereCandidatesAreManyMoreThanBits)
{
  expect_all_found_in_lanes(Spheres(600, 1.5));
  expect_all_found_in_lanes(Spheres(1000, 0.7)); // of some lines
  for (index_t const count : {63, 64, 65, 127, 128, 129})
    expect_all_found_in_lanes(Spheres(count, 1, false, Broad::brute));
}

TEST_F(SearchInLanes, LeavesOutWhatIsNoEntry)
{
  expect_all_found_in_lanes(Spheres(1500, 0.4, true));
  expect_all_found_in_lanes(Spheres(1500, 0.2, true));
  Spheres half(1000, 0.5);
  half.geometry.half_list = true;
  expect_all_found_in_lanes(half);
}

// Cells that share places, and lines that are shorter than what is near eight slots.
TEST_F(SearchInLanes, FindsAllInWrappedCells)
{
  for (index_t const count : {5, 60, 400, 1500})
    for (double const radius : {0.02, 0.1, 0.3, 0.7})
      expect_all_found_in_lanes(Spheres(count, radius, false, Broad::hash));
  expect_all_found_in_lanes(Spheres(150, 0.5, false, Broad::brute));
}

TEST_F(SearchInLanes, FillsNoRowOfOthersObjects)
{
  Spheres ghosts(500, 1);
  for (index_t const rows : {0, 1, 20}) {
    ghosts.rows = rows;
    expect_all_found_in_lanes(ghosts);
  }
}

#endif

} // namespace strata::contact
