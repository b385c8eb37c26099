#include "load.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "base/text.hpp"

#include <cmath>

namespace strata::contact {

namespace {

constexpr double many_tests = 1000; ///< per element

struct CountTests
{
  static constexpr char const* name() { return "strata::contact::CountTests"; }
  Geometry in; ///< positions in the order of slots
  Cells cells;
  std::int32_t const* slot_of;

  KOKKOS_FUNCTION index_t of(index_t row) const
  {
    index_t const slot = slot_of[row];
    index_t tests = -1; // not against itself
    cells.for_each_stretch(in.at[0][slot], in.at[1][slot], in.at[2][slot],
                           [&](index_t first, index_t last) { tests += last - first; });
    return tests;
  }
  KOKKOS_FUNCTION void operator()(index_t& tests, index_t row) const { tests += of(row); }
};

struct ListTests
{
  static constexpr char const* name() { return "strata::contact::ListTests"; }
  CountTests count;
  index_t* tests;

  KOKKOS_FUNCTION void operator()(index_t row) const { tests[row] = count.of(row); }
};

CountTests counting(Grid const& grid)
{
  return {grid.sorted(), grid.cells(), grid.slot_of()};
}

} // namespace

index_t tests_of(Scenery const& scenery)
{
  return reduced<index_t>(in_order_of<LayoutRight>(Dynamic<1>(scenery.population.rows())),
                          counting(scenery.grid));
}

std::vector<index_t> tests_by_row(Scenery const& scenery)
{
  index_t const rows = scenery.population.rows();
  DeviceVector<index_t> tests("tests of rows");
  tests.reserve(rows);
  for_each(rows, ListTests{counting(scenery.grid), tests.data()});
  return tests.download(rows);
}

double imbalance_of(index_t mine, runtime::Communicator const& world)
{
  index_t const all = world.sum(mine);
  return all == 0
             ? 1
             : static_cast<double>(world.max(mine)) * world.ranks() / static_cast<double>(all);
}

Load load_of(Scenery const& scenery, runtime::Communicator const& world)
{
  auto const& population = scenery.population;
  index_t const mine = tests_of(scenery);
  auto const over_all = [&](index_t value) { return static_cast<double>(world.sum(value)); };
  Load load;
  load.lambda_work = imbalance_of(mine, world);
  load.tests_per_element = over_all(mine) / std::max(over_all(population.rows()), 1.0);
  load.ghosts_per_owned =
      over_all(population.all() - population.own()) / std::max(over_all(population.own()), 1.0);
  return load;
}

report::Facts facts_of(Load const& load, bool brute)
{
  report::Facts facts{{"tests_per_element", text::rounded(load.tests_per_element, 4)},
                      {"lambda_work", text::rounded(load.lambda_work, 4)},
                      {"ghosts_per_owned", text::rounded(load.ghosts_per_owned, 4)}};
  if (!brute && load.tests_per_element > many_tests)
    facts.push_back(
        {"warning", std::to_string(std::llrint(load.tests_per_element)) + " tests an element"});
  return facts;
}

} // namespace strata::contact
