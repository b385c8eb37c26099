#include "inverse_launches.hpp"
#include "panel_launches.hpp"
#include "tile_launches.hpp"

#include <memory>

namespace strata::mgs {

namespace {

template <class Launches, class Layout>
Step step_by(Fields<Layout> const& fields, Problem const& problem, Algorithm const& algorithm)
{
  auto const launches = std::make_shared<Launches>(fields, problem.matrix.rows);
  return step_of(fields.factor, fields.ranks,
                 [by_tiles = algorithm.by_tiles, launches, columns = fields.factor.columns()] {
                   by_tiles(*launches, columns);
                 });
}

template <class Layout>
Step tile_step(Fields<Layout> const& fields, Problem const& problem, Algorithm const& algorithm)
{
  index_t const columns = fields.factor.columns();
  if (columns > most_tile_columns) {
    bool const at_once = algorithm.by_panels == cholesky_panels && divides_by_inverses(problem);
    auto const launches =
        std::make_shared<PanelLaunches<Layout>>(fields, problem.matrix.rows, at_once);
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
  if (algorithm.by_tiles == cholesky_twice && divides_by_inverses(problem) &&
      InverseLaunches<Layout>::are_possible(columns))
    return step_by<InverseLaunches<Layout>>(fields, problem, algorithm);
  return step_by<TileLaunches<Layout>>(fields, problem, algorithm);
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
  SpanLayouts::at(choice.layout, [&]<class Layout>() {
    made =
        maker<Layout>(choice, problem, [&found, problem](Fields<Layout> const& fields) -> Step {
          return tile_step(fields, problem, found);
        });
  });
  return made;
}

} // namespace strata::mgs
