#include "dense_trial.hpp"

#include "controls/vendor.hpp"

namespace strata::matvec {

namespace {

template <class T, bool ColumnMajor, bool Trans>
Loop launch(Operands<T> const& o)
{
  vendor::gemv(ColumnMajor, Trans, o.rows, o.cols, o.matrix, o.x, o.y);
  return {};
}

template <class T>
driver::Maker maker_of(Choice const& choice, Problem const& problem)
{
  bool const transposed = choice.kernel == "matvec_t";
  if (choice.layout == LayoutLeft::name())
    return dense_maker<T>(choice, problem,
                          transposed ? &launch<T, true, true> : &launch<T, true, false>);
  if (choice.layout == LayoutRight::name())
    return dense_maker<T>(choice, problem,
                          transposed ? &launch<T, false, true> : &launch<T, false, false>);
  return {};
}

} // namespace

driver::Maker vendor_maker(Choice const& choice, Problem const& problem)
{
  if (choice.parallel != "auto" || choice.access != "default")
    return {};
  return choice.scalar == "double" ? maker_of<double>(choice, problem)
         : choice.scalar == "float" && choice.kernel == "matvec"
             ? maker_of<float>(choice, problem)
             : driver::Maker(); // the core's alone
}

} // namespace strata::matvec
