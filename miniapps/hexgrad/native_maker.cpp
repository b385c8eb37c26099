#include "element_trial.hpp"
#include "native.hpp"

namespace strata::hexgrad {

namespace {

static_assert(std::is_same_v<LayoutBest, LayoutTiled<native::tile>>);

void launch_native(Fields<double, double, LayoutBest> const& fields)
{
  native::run(fields.coordinates.data(), fields.gradients.data(), fields.count());
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (choice.layout != LayoutBest::name() || choice.scalar != "double-double" ||
      choice.extents != "static" || choice.access != AccessDefault::name())
    return {};
  return maker<double, double, LayoutBest>(problem, &launch_native);
}

} // namespace strata::hexgrad
