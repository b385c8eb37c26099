#include "panels.hpp"

#include <algorithm>

namespace strata::mgs {

namespace {

ColumnRange part_from(index_t first, index_t width, index_t end)
{
  return {first, std::min(width, end - first)};
}

} // namespace

void blocked_panels(ByPanels& on, index_t columns)
{
  for (index_t first = 0; first < columns; first += panel_width) {
    ColumnRange const panel = part_from(first, panel_width, columns);
    index_t const end = panel.first + panel.count;
    on.orthonormalise(panel, false);
    if (end < columns)
      on.project(panel, {end, columns - end}, false);
  }
}

void cholesky_panels(ByPanels& on, index_t columns)
{
  for (index_t first = 0; first < columns; first += panel_width) {
    ColumnRange const panel = part_from(first, panel_width, columns);
    for (bool const again : {false, true}) {
      for (index_t before = 0; before < first; before += most_projected)
        on.project(part_from(before, most_projected, first), panel, again);
      if (first > 0 || !again)
        on.orthonormalise(panel, again);
    }
  }
}

} // namespace strata::mgs
