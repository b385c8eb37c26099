#include "tiles.hpp"

#include <algorithm>

namespace strata::mgs {

void cholesky_twice(ByTiles& on, index_t columns)
{
  cholesky_twice(on, ColumnRange{0, columns});
}

void cholesky_twice(ByTiles& on, ColumnRange const& all)
{
  ColumnRange const none{all.first + all.count, 0};
  TilePass divide_and_multiply{all, none, true, false, all, all, false};
  TileFactor again{all, none, false, false};

  on.pass({{all.first, 0}, all, false, false, all, all, false});
  on.factor({all, none, true, false});
  for (bool const repeats : {false, true}) {
    divide_and_multiply.repeats = again.repeats = repeats;
    on.pass(divide_and_multiply);
    on.factor(again);
  }
  on.pass({all, none, true, false, {}, {}, false});
}

void cholesky_again(ByTiles& on, ColumnRange const& all)
{
  ColumnRange const none{all.first + all.count, 0};
  on.pass({{all.first, 0}, all, false, false, all, all, false});
  on.factor({all, none, false, false});
  on.pass({all, none, true, false, {}, {}, false});
}

void blocked(ByTiles& on, index_t columns)
{
  auto const panel_from = [&](index_t first) {
    return ColumnRange{first, std::min(panel_columns, columns - first)};
  };
  ColumnRange panel = panel_from(0);
  on.pass({{0, 0}, panel, false, false, panel, panel, false});
  while (panel.count > 0) {
    index_t const end = panel.first + panel.count;
    ColumnRange const rest{end, columns - end};
    on.factor({panel, {end, 0}, true, false});
    for (bool const repeats : {false, true}) {
      on.pass(
          {panel, rest, true, false, panel, {panel.first, panel.count + rest.count}, repeats});
      on.factor({panel, rest, false, repeats});
    }
    ColumnRange const next = panel_from(end);
    on.pass({panel, rest, true, rest.count > 0, next, next, false});
    panel = next;
  }
}

} // namespace strata::mgs
