#include "driver/axis.hpp"
#include "kernels/native.hpp"
#include "trials/array_trial.hpp"

namespace strata::stream {

namespace {

/// One flat loop over all indices. Arrays and checks are those of variant span.
template <class T, KernelId Id, native::Stores How>
void launch_native(Fields<T, 1, LayoutDefault> const& fields)
{
  native::run<T>(Id,
                 {fields[Field::a].data(), fields[Field::b].data(), fields[Field::c].data(),
                  fields.extents().extent(0)},
                 static_cast<computed_t<T>>(factor), fields.sum.data(), How);
}

template <class T, native::Stores How>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  return maker<T, 1, LayoutDefault>(
      choice, geometry,
      with_kernel(choice.id, [&]<KernelId Id>() -> LaunchFunction<T, 1, LayoutDefault> {
        return &launch_native<T, Id, How>;
      }));
}

/// Streaming stores where span has them, too.
template <class T>
driver::Maker stores_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.access == driver::word_of<AccessDefault>())
    return scalar_maker<T, native::Stores::plain>(choice, geometry.flattened());
  if (choice.access != driver::word_of<AccessStreaming>() || is_sum(choice.id) ||
      (geometry.rank > 1 && choice.scalar == "float"))
    return {};
  return scalar_maker<T, native::Stores::streaming>(choice, geometry.flattened());
}

} // namespace

driver::Maker native_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.layout != driver::word_of<LayoutDefault>() || choice.index_order != "matching" ||
      choice.owner != "owned")
    return {};
  return driver::with_scalar(choice.scalar, [&]<class T>() -> driver::Maker {
    return stores_maker<T>(choice, geometry);
  });
}

} // namespace strata::stream
