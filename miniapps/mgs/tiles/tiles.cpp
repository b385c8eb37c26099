#include "tiles.hpp"

#include <algorithm>

namespace strata::mgs {

namespace {

/// After a first factor: the second one, of panel·U⁻¹, and where passes repeat, a third one.
/// Returns by what the pass after that divides. Unless `divides_again`, panel·U⁻¹ is stored
/// each time; else only that of a third factor, divided by the second one, too.
Divisors find_factors(TileOperations& on, ColumnRange const& panel, ColumnRange const& rest,
                      bool divides_again)
{
  TilePass pass{.panel = panel,
                .rest = rest,
                .divisors = {1},
                .stores = !divides_again,
                .left = panel,
                .right = {panel.first, panel.count + rest.count}};
  TileFactor factor{.panel = panel, .rest = rest, .place = divides_again ? 1 : 0};
  on.pass(pass);
  on.factor(factor);
  pass.divisors = {divides_again ? 2 : 1};
  pass.stores = pass.repeats = factor.repeats = true;
  factor.place = 0;
  on.pass(pass);
  on.factor(factor);
  return {.usual = divides_again ? 2 : 1, .if_repeated = 1};
}

} // namespace

void cholesky_twice(TileOperations& on, index_t columns)
{
  ColumnRange const all{0, columns};
  ColumnRange const none{columns, 0};
  on.pass({.panel = {0, 0}, .rest = all, .left = all, .right = all});
  on.factor({.panel = all, .rest = none, .first = true});
  auto const divisors = find_factors(on, all, none, on.divides_all_again());
  on.pass({.panel = all, .rest = none, .divisors = divisors, .stores = true});
}

void blocked(TileOperations& on, index_t columns)
{
  auto const panel_from = [&](index_t first) {
    return ColumnRange{first, std::min(panel_columns, columns - first)};
  };
  ColumnRange panel = panel_from(0);
  on.pass({.panel = {0, 0}, .rest = panel, .left = panel, .right = panel});
  while (panel.count > 0) {
    index_t const end = panel.first + panel.count;
    ColumnRange const rest{end, columns - end};
    on.factor({.panel = panel, .rest = {end, 0}, .first = true});
    auto const divisors = find_factors(on, panel, rest, on.divides_again());
    ColumnRange const next = panel_from(end);
    on.pass({.panel = panel,
             .rest = rest,
             .divisors = divisors,
             .updates = rest.count > 0,
             .stores = true,
             .left = next,
             .right = next});
    panel = next;
  }
}

} // namespace strata::mgs
