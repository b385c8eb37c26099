#include "element_trial.hpp"
#include "native.hpp"

#include "driver/axis.hpp"

namespace strata::hexgrad {

namespace {

static_assert(std::is_same_v<LayoutBest, LayoutTiled<native::tile>>);

template <native::Stores How>
void launch_tiles(Fields<double, double, LayoutBest> const& fields)
{
  native::run_tiles(fields.coordinates.data(), fields.gradients.data(), fields.count(), How);
}

template <native::Stores How>
void launch_columns(Fields<double, double, LayoutLeft> const& fields)
{
  native::run_columns(fields.coordinates.data(), fields.gradients.data(), fields.count(), How);
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (!is_by_hand(choice))
    return {};
  using native::Stores;
  bool const plain = choice.access == driver::word_of<AccessDefault>();
  if (choice.layout == driver::word_of<LayoutBest>())
    return maker<double, double, LayoutBest>(problem, plain ? &launch_tiles<Stores::plain>
                                                            : &launch_tiles<Stores::streaming>);
  return maker<double, double, LayoutLeft>(problem, plain ? &launch_columns<Stores::plain>
                                                          : &launch_columns<Stores::streaming>);
}

} // namespace strata::hexgrad
