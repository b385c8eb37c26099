#include "panels.hpp"

#include <algorithm>

namespace strata::mgs {

namespace {

void sweep(PanelOperations& on, index_t columns, bool again)
{
  auto const panel_from = [&](index_t first) {
    return ColumnRange{first, std::min(panel_width, columns - first)};
  };
  auto const step_of = [&](ColumnRange const& panel) {
    index_t const end = panel.first + panel.count;
    return PanelStep{panel, {end, columns - end}, again};
  };
  on.multiply(step_of(panel_from(0)));
  for (index_t first = 0; first < columns; first += panel_width) {
    auto const step = step_of(panel_from(first));
    on.factor(step);
    if (!again) {
      on.refine(step);
      on.repair(step);
    }
    on.update(step, panel_from(step.rest.first));
  }
}

} // namespace

void blocked_panels(PanelOperations& on, index_t columns)
{
  sweep(on, columns, false);
}

void cholesky_panels(PanelOperations& on, index_t columns)
{
  if (on.has_all_at_once()) {
    on.multiply_all();
    if (on.factor_all(false)) {
      on.divide_all();
      on.multiply_all();
      on.factor_all(true);
      on.divide_all();
      return;
    }
  }
  sweep(on, columns, false);
  sweep(on, columns, true);
}

} // namespace strata::mgs
