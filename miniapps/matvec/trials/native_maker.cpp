#include "dense_trial.hpp"

#include "controls/native.hpp"

namespace strata::matvec {

namespace {

template <void (*Run)(native::Product const&)>
Loop launch(Operands<double> const& o)
{
  Run({o.matrix, o.x, o.y, o.partial, o.rows, o.cols, most_parts_of(o.cols)});
  return {};
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (choice.kernel != "matvec" || choice.scalar != "double" || choice.access != "default")
    return {};
  bool const left = choice.layout == LayoutLeft::name();
  if (!left && choice.layout != LayoutRight::name())
    return {};
  if (choice.parallel == "row")
    return dense_maker<double>(choice, problem,
                               left ? &launch<native::rows_left> : &launch<native::rows_right>);
  if (choice.parallel == "auto")
    return dense_maker<double>(choice, problem,
                               left ? &launch<native::best_left> : &launch<native::best_right>);
  return {};
}

} // namespace strata::matvec
