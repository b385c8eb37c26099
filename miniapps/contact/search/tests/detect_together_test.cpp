#include "array/ragged/dynamic_ragged.hpp"
#include "array/ragged/paged.hpp"
#include "array/ragged/ragged_slack.hpp"
#include "rows/contact_block.hpp"
#include "rows/contact_rows.hpp"
#include "search/detect.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace strata::contact {

namespace {

// A host's searches are slot by slot; these are a device's, by teams of one member.

/// Spheres in a box, the last tenth of them without a row, as ghosts are.
struct Spheres
{
  explicit Spheres(index_t count, double radius, bool bonds = false, Broad broad = Broad::grid)
      : rows(count - count / 10)
  {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> place(0, 10);
    for (index_t i = 0; i < count; ++i) {
      for (auto& x : at)
        x.push_back(place(random));
      half.push_back(radius * (1 + place(random) / 10));
      gid.push_back(i);
      body.push_back(bonds ? i / 3 : i);
    }
    coarse.resize(static_cast<std::size_t>(count + CoarseSpheres::padding));
    geometry.at[0] = at[0].data();
    geometry.at[1] = at[1].data();
    geometry.at[2] = at[2].data();
    geometry.half[0] = half.data();
    geometry.gid = gid.data();
    geometry.body = body.data();
    geometry.elements = count;
    geometry.bonded = bonds;
    geometry.quanta = {{0x1p-20, 0x1p20}, {0x1p-20, 0x1p20}};
    grid.bin(geometry, count, Shape::sphere, 4 * radius, broad);
    auto const& sorted = grid.sorted();
    for (index_t slot = 0; slot < count; ++slot) {
      auto& made = coarse[static_cast<std::size_t>(slot)];
      for (int k = 0; k < 3; ++k)
        made.number[k] = static_cast<float>(sorted.at[k][slot]);
      made.number[3] = static_cast<float>(sorted.half[0][slot]);
    }
  }

  std::vector<double> at[3];
  std::vector<double> half;
  std::vector<index_t> gid, body;
  std::vector<Coarse> coarse;
  Geometry geometry;
  Grid grid;
  index_t rows;
};

using Row = std::vector<std::pair<std::int32_t, double>>; ///< neighbours and gaps

template <class Rows>
std::vector<Row> rows_of(Rows const& rows)
{
  auto const view = rows.view();
  std::vector<Row> all;
  for (index_t i = 0; i < view.rows(); ++i) {
    Row row;
    view.for_each_entry(
        i, [&](auto entry) { row.emplace_back(view.neighbour(entry), view.gap(entry)); });
    std::sort(row.begin(), row.end());
    all.push_back(row);
  }
  return all;
}

/// All with all, by the same test.
std::vector<Row> by_all(Spheres const& spheres)
{
  TouchingSpheres const touch{spheres.geometry};
  std::vector<Row> all(static_cast<std::size_t>(spheres.rows));
  for (index_t i = 0; i < spheres.rows; ++i)
    for (index_t j = 0; j < spheres.geometry.elements; ++j)
      if (i != j && touch.near(i, j) && touch.in.counts(i, j))
        all[static_cast<std::size_t>(i)].emplace_back(static_cast<std::int32_t>(j),
                                                      touch.gap(i, j));
  return all;
}

/// Launches a kernel for teams of one member, as a host does, or of Members threads.
template <int Members, class Kernel>
void launch_teams(index_t teams, Kernel const& kernel)
{
  if constexpr (Members == 1)
    for_each_team<Kernel::members>(teams, kernel);
  else
    testing::run_on_threads<Members>(teams, kernel, Kernel::scratch_bytes);
}

/// How spheres are tested.
enum class Tests
{
  exact,
  coarse,
  doubted ///< all coarse ones
};

template <class Rows, int Members>
void expect_all_found(Spheres const& spheres, Tests tests, RowOptions const& options)
{
  Rows rows(spheres.rows, options);
  KeptRows kept;
  TouchingSpheres const touch{spheres.grid.sorted()};
  index_t const slots = spheres.grid.slots();
  index_t const teams = (slots + Members - 1) / Members;
  std::vector<Place> places(static_cast<std::size_t>(slots));
  for (index_t slot = 0; slot < slots; ++slot)
    GatherPlaces{touch.in, places.data()}(slot);
  rows.build(
      [&](auto const& rows_view) {
        auto const view = kept.with(rows_view, teams);
        return Detect<TouchingSpheres, std::remove_const_t<decltype(view)>>{
            touch, spheres.grid.cells(), spheres.grid.slot_of(), view, 3};
      },
      [&]<class Kernel>(index_t count, Kernel const& kernel) {
        auto const launch = [&]<class Coarsely>(Coarsely const& coarse) {
          using Together = DetectTogether<Kernel, Coarsely>;
          using Crowded = DetectCrowded<Kernel, Coarsely>;
          launch_teams<Members>(teams, Together{kernel, coarse, slots, count});
          if constexpr (Together::recalls)
            if (kept.is_crowded())
              launch_teams<Members>(Crowded::parts_of(Members) * teams,
                                    Crowded{kernel, coarse, slots, count, places.data()});
        };
        auto coarse = coarse_spheres(spheres.coarse.data(), 10, 12, 0);
        if (tests == Tests::doubted)
          coarse.doubt = HUGE_VALF;
        if (tests == Tests::exact)
          launch(NoCoarse{});
        else
          launch(coarse);
      });
  EXPECT_EQ(rows_of(rows), by_all(spheres));
}

template <class Rows, int Members = 1>
void expect_all_found(Spheres const& spheres, RowOptions const& options = {})
{
  for (auto const tests : {Tests::exact, Tests::coarse, Tests::doubted})
    expect_all_found<Rows, Members>(spheres, tests, options);
}

template <class Rows>
void expect_all_found(RowOptions const& options = {})
{
  expect_all_found<Rows>(Spheres(2000, 0.25), options);
  expect_all_found<Rows>(Spheres(600, 1.5), options); // crowded, and above a team's room
  expect_all_found<Rows>(Spheres(1500, 0.4, true), options);
  expect_all_found<Rows>(Spheres(1, 1), options);
  Spheres ghosts(50, 1);
  ghosts.rows = 0;
  expect_all_found<Rows>(ghosts, options);
}

} // namespace

class SearchByTeams : public ::testing::Test
{
protected:
  void SetUp() override
  {
    if (!device_is_host)
      GTEST_SKIP() << "its objects lie in a host's memory; the cases' tests launch it";
  }
};

TEST_F(SearchByTeams, CountsAndFills)
{
  expect_all_found<Contacts<RaggedRows<>>>();
}

TEST_F(SearchByTeams, FillsRowsOfManyCandidatesTogether)
{
  using Rows = Contacts<RaggedRows<>>;
  expect_all_found<Rows, 4>(Spheres(300, 1.5));
  expect_all_found<Rows, 4>(Spheres(250, 1, true)); // some rows are crowded
  expect_all_found<Rows, 32>(Spheres(170, 2));
  expect_all_found<Rows>(Spheres(1500, 0.7, false, Broad::hash));
  expect_all_found<Rows, 4>(Spheres(150, 0.5, false, Broad::brute));
}

TEST_F(SearchByTeams, SetsByNumberAndFindsRoomForMore)
{
  RowOptions options;
  options.capacity = 4;
  expect_all_found<Contacts<DynamicRaggedRows<LayoutRight>>>(options);
  expect_all_found<Contacts<DynamicRaggedRows<LayoutLeft>>>(options);
  expect_all_found<Contacts<SlackRows<>>>(options);
  expect_all_found<ContactBlock>(options);
  options.overflow = Overflow::spill;
  options.pool = 64;
  expect_all_found<Contacts<DynamicRaggedRows<LayoutRight>>>(options);
}

TEST_F(SearchByTeams, AppendsWhereEntriesHaveNoNumbers)
{
  expect_all_found<Contacts<PagedRows<>>>();
}

} // namespace strata::contact
