#include "array_trial.hpp"

#include "kernels/native.hpp"

namespace strata::stream {

namespace {

/// One flat loop over all indices. Arrays and checks are those of variant span.
template <class T, KernelId Id>
void launch_native(Fields<T, 1, LayoutDefault> const& fields)
{
  native::run<T>(Id,
                 {fields[Field::a].data(), fields[Field::b].data(), fields[Field::c].data(),
                  fields.extents().extent(0)},
                 static_cast<T>(factor), fields.sum.data());
}

template <class T>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  return maker<T, 1, LayoutDefault>(
      choice, geometry,
      with_kernel(choice.id, []<KernelId Id>() -> LaunchFunction<T, 1, LayoutDefault> {
        return &launch_native<T, Id>;
      }));
}

} // namespace

driver::Maker native_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.layout != LayoutDefault::name() || choice.index_order != "matching" ||
      choice.access != AccessDefault::name() || choice.owner != "owned")
    return {};
  auto const flat = geometry.flattened();
  return choice.scalar == "float" ? scalar_maker<float>(choice, flat)
                                  : scalar_maker<double>(choice, flat);
}

} // namespace strata::stream
