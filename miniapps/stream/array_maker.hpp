#pragma once

#include "array_trial.hpp"
#include "view_trial.hpp"

// Which combinations of the axes are measured over the core's arrays, and their makers. One
// source file per number of indices includes this and instantiates its part.

namespace strata::stream {

namespace detail {

template <class Trial>
driver::Maker maker(Choice const& choice, Geometry const& geometry)
{
  return [choice, geometry](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    return std::make_unique<Trial>(choice, geometry, workspace);
  };
}

/// Access rules beyond the default are for stores; atomic and restrict for one index only,
/// where they tell all there is.
template <KernelId Id, int Rank, class Access>
constexpr bool measured()
{
  constexpr bool stores = Id != KernelId::dot && Id != KernelId::read;
  if (std::is_same_v<Access, AccessDefault>)
    return true;
  return stores && (Rank == 1 || std::is_same_v<Access, AccessStreaming>);
}

template <class T, int Rank, class Layout, class Order, class Access>
driver::Maker span_maker(Choice const& choice, Geometry const& geometry)
{
  return with_kernel(choice.id, [&]<KernelId Id>() -> driver::Maker {
    if constexpr (measured<Id, Rank, Access>())
      return maker<SpanTrial<Id, T, Rank, Layout, Order, Access>>(choice, geometry);
    else
      return {};
  });
}

template <class T, int Rank, class Layout>
driver::Maker view_maker(Choice const& choice, Geometry const& geometry)
{
  if constexpr (std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>)
    if (choice.index_order == "matching" && choice.access == AccessDefault::name() &&
        choice.owner == "owned")
      return with_kernel(choice.id, [&]<KernelId Id>() {
        return maker<ViewTrial<Id, T, Rank, Layout>>(choice, geometry);
      });
  return {};
}

template <class T, int Rank, class Layout>
driver::Maker layout_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.variant == "view")
    return view_maker<T, Rank, Layout>(choice, geometry);
  driver::Maker made;
  if (choice.index_order == "crossed") {
    using Crossed =
        std::conditional_t<std::is_same_v<Layout, LayoutRight>, LayoutLeft, LayoutRight>;
    if constexpr (Rank > 1)
      if (choice.access == AccessDefault::name())
        made = span_maker<T, Rank, Layout, Crossed, AccessDefault>(choice, geometry);
  } else {
    SpanAccess::for_each([&]<class Access>() {
      if (choice.access == Access::name())
        made = span_maker<T, Rank, Layout, Layout, Access>(choice, geometry);
    });
  }
  return made;
}

template <class T, int Rank>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  driver::Maker made;
  SpanLayouts::for_each([&]<class Layout>() {
    // With one index left and right are the same array, and tiles are no tiles.
    if constexpr (Rank > 1 || std::is_same_v<Layout, LayoutDefault>)
      if (choice.layout == Layout::name())
        made = layout_maker<T, Rank, Layout>(choice, geometry);
  });
  return made;
}

} // namespace detail

template <int Rank>
driver::Maker array_maker(Choice const& choice, Geometry const& geometry)
{
  return choice.scalar == "float" ? detail::scalar_maker<float, Rank>(choice, geometry)
                                  : detail::scalar_maker<double, Rank>(choice, geometry);
}

} // namespace strata::stream
