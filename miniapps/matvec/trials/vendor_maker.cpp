#include "dense_trial.hpp"

#include "controls/vendor.hpp"
#include "driver/axis.hpp"

namespace strata::matvec {

namespace {

template <class T, bool ColumnMajor, bool Trans>
Loop launch(Operands<T> const& o)
{
  vendor::gemv(ColumnMajor, Trans, o.rows, o.cols, o.matrix, o.x, o.y);
  return {};
}

template <class T, bool Transposed>
driver::Maker maker_of(Choice const& choice, Problem const& problem)
{
  if (choice.layout == driver::word_of<LayoutLeft>())
    return dense_maker<T>(choice, problem, &launch<T, true, Transposed>);
  if (choice.layout == driver::word_of<LayoutRight>())
    return dense_maker<T>(choice, problem, &launch<T, false, Transposed>);
  return {};
}

} // namespace

driver::Maker vendor_maker(Choice const& choice, Problem const& problem)
{
  if (choice.parallel != "auto" || choice.access != "default")
    return {};
  bool const transposed = choice.kernel == "matvec_t";
  if (choice.scalar == "double")
    return transposed ? maker_of<double, true>(choice, problem)
                      : maker_of<double, false>(choice, problem);
  // The core's transposed products are of doubles alone.
  return choice.scalar == "float" && !transposed ? maker_of<float, false>(choice, problem)
                                                 : driver::Maker();
}

} // namespace strata::matvec
