#pragma once

// Registers a kernel of cubes in all layouts, orders, sizes, devices and ways.

#include "cases.hpp"
#include "loops.hpp"
#include "memory.hpp"

#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace strata::bench {

/// How a case sees its cubes and in which order it visits them.
template <class D, class Way, class L, class Order, bool Static>
struct How
{
  using Device = D;
  using Space = typename D::Space;
  using Layout = L;
  using Visited = Order; ///< the loops follow this layout's memory
  static constexpr index_t edge = D::edge;
  static constexpr std::size_t count = static_cast<std::size_t>(edge * edge * edge);

  template <class T, class OfLayout = Layout>
  static auto see(T* p)
  {
    constexpr std::size_t n = Static ? static_cast<std::size_t>(edge) : dyn;
    return Way::template see<T, OfLayout, Space, n, n, n>(p, edge, edge, edge);
  }
};

template <class Layout>
std::string cube_name(std::string const& what, index_t edge)
{
  return what + " " + order_name<Layout>() + " " + std::to_string(edge);
}

/// The input.
template <class Space, class Layout>
int* input_cube(index_t edge)
{
  auto const name = cube_name<Layout>("input", edge);
  auto const& values =
      known(name, [=] { return laid_out<is_right<Layout>>(edge, edge, edge, value); });
  return kept<Space>(name, values);
}
/// An element that is no edge's.
inline std::size_t inside(index_t edge)
{
  return static_cast<std::size_t>((edge / 2 * edge + edge / 3) * edge + edge / 2);
}

/// All that a case needs but its pass: the result, where it is an array of `count` elements,
/// and what it must be.
template <class Device>
Running checked(int* in, int* out, std::size_t count,
                std::function<std::vector<int> const&()> const& right)
{
  using Space = typename Device::Space;
  return {.pass = {},
          .wait = Device::wait,
          .clear = [=] { fill<Space>(out, count, -1); },
          .wrong = [=] { return difference(on_host<Space>(out, count), right()); },
          .spoil = [=](int by) { add_to<Space>(in + inside(Device::edge), by); }};
}

template <class Device, class Layout>
Running checked_sum(int* in, int* result)
{
  auto const& input = known(cube_name<Layout>("input", Device::edge), nullptr);
  auto const& right = known("sum " + std::to_string(Device::edge), [&] {
    return std::vector<int>{std::accumulate(input.begin(), input.end(), 0)};
  });
  return checked<Device>(in, result, 1, [&right]() -> auto const& { return right; });
}

/// A kernel that sums a cube.
template <class H, class K>
Running summing(K const& k, int* in)
{
  using D = typename H::Device;
  int* const result = kept<typename H::Space>("sum", 1);
  auto running = checked_sum<D, typename H::Layout>(in, result);
  running.pass = [=] { sum_all<D, typename H::Visited>(k, result); };
  return running;
}

/// A kernel that writes a cube; `right` is what it must write.
template <class H, class K>
Running writing(K const& k, int* in, int* out,
                std::function<std::vector<int> const&()> const& right)
{
  using D = typename H::Device;
  auto running = checked<D>(in, out, H::count, right);
  running.pass = [=] { for_all<D, typename H::Visited>(k); };
  return running;
}

/// Adds Kernel::prepare<How>() for each way of one layout and order.
template <class Kernel, class Layout, class Order>
void add_ways(Cases& cases)
{
  each_device([&]<class D>(D) {
    auto const add = [&]<class Way, bool Static>(Way, std::bool_constant<Static>) {
      cases.push_back(
          {Kernel::name, order_name<Layout>(),
           std::is_same_v<Layout, Order> ? "matching" : "crossed",
           Static ? "static" : "dynamic", D::name, Way::name, D::edge * D::edge * D::edge,
           [] { return Kernel::template prepare<How<D, Way, Layout, Order, Static>>(); }});
    };
    each_way<D>([&]<class Way>(Way way) {
      if constexpr (Way::has_parts || !Kernel::takes_parts) {
        add(way, std::false_type());
        add(way, std::true_type());
      }
    });
    if constexpr (!Kernel::takes_parts) {
      add(AnyRankWay<0>(), std::false_type());
      add(AnyRankWay<1>(), std::false_type());
    }
  });
}

template <class Kernel>
void add_cubes(Cases& cases)
{
  add_ways<Kernel, LayoutRight, LayoutRight>(cases);
  add_ways<Kernel, LayoutRight, LayoutLeft>(cases);
  add_ways<Kernel, LayoutLeft, LayoutLeft>(cases);
  add_ways<Kernel, LayoutLeft, LayoutRight>(cases);
}

} // namespace strata::bench
