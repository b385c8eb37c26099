#include "native.hpp"
#include "scale_trial.hpp"

namespace strata::appname {

namespace {

template <class T>
void launch_native(Fields<T> const& fields)
{
  native::scale(fields.x.data(), fields.y.data(), static_cast<T>(factor), fields.count());
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (choice.scalar == "float")
    return maker<float>(problem, &launch_native<float>);
  return maker<double>(problem, &launch_native<double>);
}

} // namespace strata::appname
