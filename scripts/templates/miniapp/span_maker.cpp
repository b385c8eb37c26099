#include "scale_trial.hpp"

namespace strata::appname {

namespace {

/// The core's spans and launches, in packs as wide as the device likes.
template <class T>
void launch_spans(Fields<T> const& fields)
{
  auto const x = fields.x.read();
  auto const y = fields.y.write();
  for_each(fields.count(), Scale<decltype(x), decltype(y)>{x, y, static_cast<T>(factor)},
           write_packs<T, LayoutDefault>);
}

} // namespace

driver::Maker span_maker(Choice const& choice, Problem const& problem)
{
  if (choice.scalar == "float")
    return maker<float>(problem, &launch_spans<float>);
  return maker<double>(problem, &launch_spans<double>);
}

} // namespace strata::appname
