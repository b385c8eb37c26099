#include "dense_trial.hpp"

#include "controls/native.hpp"
#include "driver/axis.hpp"

namespace strata::matvec {

namespace {

/// Aᵀ x of one order is A x of the other, with rows and columns exchanged.
template <void (*Run)(native::Product const&), bool Trans = false>
Loop launch(Operands<double> const& o)
{
  index_t const rows = Trans ? o.cols : o.rows;
  index_t const cols = Trans ? o.rows : o.cols;
  Run({o.matrix, o.x, o.y, o.partial, rows, cols, most_parts_of(cols)});
  return {};
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (choice.scalar != "double" || choice.access != "default")
    return {};
  bool const left = choice.layout == driver::word_of<LayoutLeft>();
  if (!left && choice.layout != driver::word_of<LayoutRight>())
    return {};
  if (choice.kernel == "matvec_t") {
    if (choice.parallel != "auto")
      return {};
    return dense_maker<double>(choice, problem,
                               left ? &launch<native::best_right, true>
                                    : &launch<native::best_left, true>);
  }
  if (choice.parallel == "row")
    return dense_maker<double>(choice, problem,
                               left ? &launch<native::rows_left> : &launch<native::rows_right>);
  if (choice.parallel == "auto")
    return dense_maker<double>(choice, problem,
                               left ? &launch<native::best_left> : &launch<native::best_right>);
  return {};
}

} // namespace strata::matvec
