#pragma once

#include "span_launch.hpp"
#include "view_launch.hpp"

// Which combinations of the axes are measured over the core's arrays, and their makers. One
// source file per number of indices includes this and instantiates its part.

namespace strata::stream {

namespace detail {

/// With several indices float tells of the plain span only what it costs; the axes beside it
/// (crossed loops, access rules, plain views) are measured in double.
template <class T, int Rank>
inline constexpr bool is_varied = Rank == 1 || std::is_same_v<T, double>;

/// Access rules beyond the default are for stores; atomic and restrict for one index only,
/// where they tell all there is.
template <KernelId Id, class T, int Rank, class Access>
constexpr bool measured()
{
  constexpr bool stores = Id != KernelId::dot && Id != KernelId::read;
  if (std::is_same_v<Access, AccessDefault>)
    return true;
  return stores && is_varied<T, Rank> && (Rank == 1 || std::is_same_v<Access, AccessStreaming>);
}

template <class T, int Rank, class Layout, class Order, class Access>
driver::Maker span_maker(Choice const& choice, Geometry const& geometry)
{
  return with_kernel(choice.id, [&]<KernelId Id>() -> driver::Maker {
    if constexpr (measured<Id, T, Rank, Access>())
      return maker<T, Rank, Layout>(choice, geometry,
                                    &launch_spans<Id, T, Rank, Layout, Order, Access>);
    else
      return {};
  });
}

template <class T, int Rank, class Layout>
driver::Maker view_maker(Choice const& choice, Geometry const& geometry)
{
  constexpr bool plain =
      std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;
  if constexpr (plain && is_varied<T, Rank>)
    if (choice.index_order == "matching" && choice.access == AccessDefault::name() &&
        choice.owner == "owned")
      return with_kernel(choice.id, [&]<KernelId Id>() {
        return maker<T, Rank, Layout>(choice, geometry, &launch_views<Id, T, Rank, Layout>);
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
    if constexpr (Rank > 1 && is_varied<T, Rank>)
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
