#include "array/ragged/dynamic_ragged.hpp"
#include "array/ragged/paged.hpp"
#include "array/ragged/ragged_slack.hpp"
#include "rows/contact_block.hpp"
#include "rows/contact_rows.hpp"
#include "search/detect.hpp"
#include "search/tests/spheres.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace strata::contact {

namespace {

// A device's searches, by teams of one member.

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
  rows.build(
      [&](auto const& rows_view) {
        auto const view = kept.with(rows_view, slots, teams);
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
                                    Crowded{kernel, coarse, slots, count});
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
  Spheres const more_than_a_round(530, 2, false, Broad::brute);
  expect_all_found<Rows, 32>(more_than_a_round, Tests::coarse, {});
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
