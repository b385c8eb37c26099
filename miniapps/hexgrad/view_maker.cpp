#include "element_trial.hpp"

namespace strata::hexgrad {

namespace {

/// The same kernel on plain Kokkos::View with compile-time inner extents, launched flat, one
/// element a work item, as a Kokkos user would.
template <class Layout>
class ViewTrial final : public ElementTrial<double, double, StaticExtents, Layout>
{
  using KokkosLayout = std::conditional_t<std::is_same_v<Layout, LayoutLeft>,
                                          Kokkos::LayoutLeft, Kokkos::LayoutRight>;
  template <class T>
  using View =
      Kokkos::View<T* [dims][nodes], KokkosLayout, DeviceSpace, Kokkos::MemoryUnmanaged>;

public:
  using ElementTrial<double, double, StaticExtents, Layout>::ElementTrial;

  void step() override
  {
    using Kernel = BasisGradient<View<double const>, View<double>>;
    auto const count = static_cast<std::size_t>(this->problem_.count);
    Kernel const kernel{View<double const>(this->coordinates_.data(), count),
                        View<double>(this->gradients_.data(), count)};
    Kokkos::parallel_for(
        Kernel::name(),
        Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, this->problem_.count),
        kernel);
  }
};

template <class Layout>
driver::Maker maker(Problem const& problem)
{
  return [problem](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    return std::make_unique<ViewTrial<Layout>>(problem, workspace);
  };
}

} // namespace

driver::Maker view_maker(Choice const& choice, Problem const& problem)
{
  if (choice.scalar != "double-double" || choice.extents != "static" ||
      choice.access != AccessDefault::name())
    return {};
  if (choice.layout == LayoutLeft::name())
    return maker<LayoutLeft>(problem);
  if (choice.layout == LayoutRight::name())
    return maker<LayoutRight>(problem);
  return {};
}

} // namespace strata::hexgrad
