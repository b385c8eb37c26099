#include "panel_launches.hpp"
#include "tile_launches.hpp"

#include <memory>

namespace strata::mgs {

namespace {

template <class Layout>
Step tile_step(Fields<Layout> const& fields, Matrix const& matrix, Algorithm const& algorithm)
{
  index_t const columns = fields.factor.columns();
  if (columns > most_tile_columns) {
    bool const at_once = algorithm.by_panels == cholesky_panels && takes_all_at_once(matrix);
    auto const launches = std::make_shared<PanelLaunches<Layout>>(fields, matrix.rows, at_once);
    auto const step = [by_panels = algorithm.by_panels, launches, columns] {
      by_panels(*launches, columns);
    };
    // What waits for the device, to see whether U⁻¹ is good enough, cannot be recorded.
    return launches->has_all_at_once() ? Step(step)
                                       : step_of(fields.factor, fields.ranks, step);
  }
  if (fields.ranks.alone() && fields.rows <= OneTileLaunch<Layout>::most_rows &&
      OneTileLaunch<Layout>::is_possible(columns)) {
    auto const launch = std::make_shared<OneTileLaunch<Layout>>(fields, algorithm.by_tiles);
    return [launch] { (*launch)(); };
  }
  auto const launches = std::make_shared<TileLaunches<Layout>>(fields, matrix.rows);
  return step_of(
      fields.factor, fields.ranks,
      [by_tiles = algorithm.by_tiles, launches, columns] { by_tiles(*launches, columns); });
}

} // namespace

index_t most_in_one_pass()
{
  return PanelLaunches<LayoutLeft>::most_in_one_pass();
}

driver::Maker tile_maker(Choice const& choice, Problem const& problem)
{
  auto const& found = algorithm(choice.algorithm);
  if (found.by_tiles == nullptr || choice.results != "device")
    return {};
  driver::Maker made;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout == Layout::name())
      made = maker<Layout>(
          choice, problem,
          [&found, matrix = problem.matrix](Fields<Layout> const& fields) -> Step {
            return tile_step(fields, matrix, found);
          });
  });
  return made;
}

} // namespace strata::mgs
