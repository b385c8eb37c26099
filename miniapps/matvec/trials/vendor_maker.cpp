#include "dense_trial.hpp"

#include "controls/vendor.hpp"

namespace strata::matvec {

namespace {

template <bool ColumnMajor, bool Trans>
Loop launch(Operands<double> const& o)
{
  vendor::gemv(ColumnMajor, Trans, o.rows, o.cols, o.matrix, o.x, o.y);
  return {};
}

} // namespace

driver::Maker vendor_maker(Choice const& choice, Problem const& problem)
{
  if (choice.parallel != "auto" || choice.scalar != "double" || choice.access != "default")
    return {};
  bool const transposed = choice.kernel == "matvec_t";
  if (choice.layout == LayoutLeft::name())
    return dense_maker<double>(choice, problem,
                               transposed ? &launch<true, true> : &launch<true, false>);
  if (choice.layout == LayoutRight::name())
    return dense_maker<double>(choice, problem,
                               transposed ? &launch<false, true> : &launch<false, false>);
  return {};
}

} // namespace strata::matvec
