#include "tile_launches.hpp"

#include <memory>

namespace strata::mgs {

namespace {

template <class Layout>
Step tile_step(Fields<Layout> const& fields, index_t all_rows,
               void (*by_tiles)(ByTiles&, index_t columns))
{
  index_t const columns = fields.factor.columns();
  if (fields.ranks.alone() && fields.rows <= OneTileLaunch<Layout>::most_rows &&
      OneTileLaunch<Layout>::is_possible(columns)) {
    auto const launch = std::make_shared<OneTileLaunch<Layout>>(fields, by_tiles);
    return [launch] { (*launch)(); };
  }
  auto const launches = std::make_shared<TileLaunches<Layout>>(fields, all_rows);
  return step_of(fields.factor, fields.ranks,
                 [by_tiles, launches, columns] { by_tiles(*launches, columns); });
}

} // namespace

driver::Maker tile_maker(Choice const& choice, Problem const& problem)
{
  auto const by_tiles = algorithm(choice.algorithm).by_tiles;
  if (by_tiles == nullptr || choice.results != "device")
    return {};
  driver::Maker made;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout == Layout::name())
      made = maker<Layout>(
          choice, problem,
          [by_tiles, rows = problem.matrix.rows](Fields<Layout> const& fields) -> Step {
            return tile_step(fields, rows, by_tiles);
          });
  });
  return made;
}

} // namespace strata::mgs
