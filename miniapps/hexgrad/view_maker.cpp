#include "element_trial.hpp"

#include "driver/axis.hpp"

namespace strata::hexgrad {

namespace {

/// The same kernel on plain Kokkos::View with compile-time inner extents, launched as a Kokkos
/// user would: a RangePolicy with one element per work item.
template <class Layout>
void launch_views(Fields<double, double, Layout> const& fields)
{
  using Plain = std::conditional_t<std::is_same_v<Layout, LayoutLeft>, Kokkos::LayoutLeft,
                                   Kokkos::LayoutRight>;
  using Values =
      Kokkos::View<double* [dims][nodes], Plain, DeviceSpace, Kokkos::MemoryUnmanaged>;
  using Constants = typename Values::const_type;
  auto const count = static_cast<std::size_t>(fields.count());
  BasisGradient<Constants, Values> const kernel{Constants(fields.coordinates.data(), count),
                                                Values(fields.gradients.data(), count)};
  Kokkos::parallel_for(
      kernel.name(), Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, fields.count()),
      kernel);
}

} // namespace

driver::Maker view_maker(Choice const& choice, Problem const& problem)
{
  if (choice.scalar != "double-double" || choice.extents != "static" ||
      choice.access != driver::word_of<AccessDefault>())
    return {};
  if (choice.layout == driver::word_of<LayoutLeft>())
    return maker<double, double, LayoutLeft>(problem, &launch_views<LayoutLeft>);
  if (choice.layout == driver::word_of<LayoutRight>())
    return maker<double, double, LayoutRight>(problem, &launch_views<LayoutRight>);
  return {};
}

} // namespace strata::hexgrad
