#include "element_trial.hpp"
#include "native.hpp"

namespace strata::hexgrad {

namespace {

static_assert(std::is_same_v<LayoutBest, LayoutTiled<native::tile>>);

void launch_tiles(Fields<double, double, LayoutBest> const& fields)
{
  native::run_tiles(fields.coordinates.data(), fields.gradients.data(), fields.count());
}

void launch_columns(Fields<double, double, LayoutLeft> const& fields)
{
  native::run_columns(fields.coordinates.data(), fields.gradients.data(), fields.count());
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (!is_by_hand(choice))
    return {};
  if (choice.layout == LayoutBest::name())
    return maker<double, double, LayoutBest>(problem, &launch_tiles);
  return maker<double, double, LayoutLeft>(problem, &launch_columns);
}

} // namespace strata::hexgrad
