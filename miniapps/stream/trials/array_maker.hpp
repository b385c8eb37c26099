#pragma once

#include "span_launch.hpp"
#include "view_launch.hpp"

#include "driver/axis.hpp"

// The combinations of the axes that are measured over the core's arrays, and their makers. One
// source file per number of indices includes this header and instantiates its part.

namespace strata::stream {

namespace detail {

/// With several indices float is measured for the plain span in the device's own layout only;
/// other layouts, crossed loops, access rules and plain views are measured in double.
template <class T, int Rank>
inline constexpr bool is_varied = Rank == 1 || std::is_same_v<T, double>;

/// Access rules other than the default are measured for stores; atomic and restrict for one
/// index only, since more indices do not change their cost, and not of narrow numbers.
template <KernelId Id, class T, int Rank, class Access>
constexpr bool measured()
{
  if (is_narrow<T> && Id == KernelId::nstream)
    return false;
  if (std::is_same_v<Access, AccessDefault>)
    return true;
  return !is_sum(Id) && is_varied<T, Rank> &&
         ((Rank == 1 && !is_narrow<T>) || std::is_same_v<Access, AccessStreaming>);
}

/// Loops, access and memory as plain views have them.
inline bool is_plain(Choice const& choice)
{
  return choice.index_order == "matching" &&
         choice.access == driver::word_of<AccessDefault>() && choice.owner == "owned";
}

// The launch is a function pointer, and one maker serves all: a maker for each launch would
// double the compile time.

template <class T, int Rank, class Layout, class Order, class Access>
LaunchFunction<T, Rank, Layout> span_launch(KernelId id)
{
  return with_kernel(id, [&]<KernelId Id>() -> LaunchFunction<T, Rank, Layout> {
    if constexpr (measured<Id, T, Rank, Access>())
      return &launch_spans<Id, T, Rank, Layout, Order, Access>;
    else
      return nullptr;
  });
}

template <class T, int Rank, class Layout, ViewTile Tile>
LaunchFunction<T, Rank, Layout> view_launch(KernelId id)
{
  return with_kernel(id, [&]<KernelId Id>() -> LaunchFunction<T, Rank, Layout> {
    return &launch_views<Id, T, Rank, Layout, Tile>;
  });
}

template <class T, int Rank, class Layout>
LaunchFunction<T, Rank, Layout> view_launch_of(Choice const& choice)
{
  constexpr bool plain =
      std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;
  if constexpr (plain && is_varied<T, Rank> && !is_narrow<T>) {
    if (!is_plain(choice))
      return nullptr;
    if constexpr (Rank > 1)
      if (choice.policy == "tuned")
        return view_launch<T, Rank, Layout, ViewTile::tuned>(choice.id);
    return view_launch<T, Rank, Layout, ViewTile::standard>(choice.id);
  }
  return nullptr;
}

template <class T, int Rank, class Layout>
LaunchFunction<T, Rank, Layout> launch_of(Choice const& choice)
{
  if (choice.variant == "view")
    return view_launch_of<T, Rank, Layout>(choice);
  LaunchFunction<T, Rank, Layout> launch = nullptr;
  if (choice.index_order == "crossed") {
    using Crossed =
        std::conditional_t<std::is_same_v<Layout, LayoutRight>, LayoutLeft, LayoutRight>;
    if constexpr (Rank > 1 && is_varied<T, Rank>)
      if (choice.access == driver::word_of<AccessDefault>())
        launch = span_launch<T, Rank, Layout, Crossed, AccessDefault>(choice.id);
  } else {
    SpanAccess::at(choice.access, [&]<class Access>() {
      launch = span_launch<T, Rank, Layout, Layout, Access>(choice.id);
    });
  }
  return launch;
}

template <class T, int Rank>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  driver::Maker made;
  SpanLayouts::at(choice.layout, [&]<class Layout>() {
    // With one index, left, right and tiled are the same array.
    if constexpr (std::is_same_v<Layout, LayoutDefault> || (Rank > 1 && is_varied<T, Rank>))
      made = maker<T, Rank, Layout>(choice, geometry, launch_of<T, Rank, Layout>(choice));
  });
  return made;
}

} // namespace detail

template <int Rank>
driver::Maker array_maker(Choice const& choice, Geometry const& geometry)
{
  if constexpr (Rank == 1)
    return driver::with_scalar(choice.scalar, [&]<class T>() -> driver::Maker {
      return detail::scalar_maker<T, Rank>(choice, geometry);
    });
  else
    return choice.scalar == "float" ? detail::scalar_maker<float, Rank>(choice, geometry)
                                    : detail::scalar_maker<double, Rank>(choice, geometry);
}

} // namespace strata::stream
