#pragma once

// Registers a kernel of cubes in all layouts, orders, sizes, devices and ways.

#include "cases.hpp"
#include "loops.hpp"
#include "memory.hpp"

#include <string>
#include <type_traits>

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
  return what + " " + Layout::name() + " " + std::to_string(edge);
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

/// What a kernel that sums a cube needs beside itself.
template <class H, class K>
Running summing(K const& k, int* in)
{
  using D = typename H::Device;
  using Space = typename H::Space;
  int* const result = kept<Space>("sum", 1);
  auto const right = [=]() -> std::vector<int> {
    int total = 0;
    for (int const one : known(cube_name<typename H::Layout>("input", H::edge),
                               [] { return std::vector<int>(); }))
      total += one;
    return {total};
  };
  return {.pass = [=] { sum_all<D, typename H::Visited>(k, result); },
          .wait = D::wait,
          .clear = [=] { fill<Space>(result, 1, -1); },
          .wrong = [=] { return difference(on_host<Space>(result, 1), right()); },
          .spoil = [=](int by) { add_to<Space>(in + inside(H::edge), by); }};
}

/// What a kernel that writes a cube needs beside itself; `right()` is what it must write.
template <class H, class K, class Right>
Running writing(K const& k, int* in, int* out, Right const& right)
{
  using D = typename H::Device;
  using Space = typename H::Space;
  return {.pass = [=] { for_all<D, typename H::Visited>(k); },
          .wait = D::wait,
          .clear = [=] { fill<Space>(out, H::count, -1); },
          .wrong = [=] { return difference(on_host<Space>(out, H::count), right()); },
          .spoil = [=](int by) { add_to<Space>(in + inside(H::edge), by); }};
}

/// Adds Kernel::prepare<How>() for each way of one layout and order.
template <class Kernel, class Layout, class Order>
void add_ways(Cases& cases)
{
  each_device([&]<class D>(D) {
    each_way([&]<class Way>(Way) {
      if constexpr (Way::has_parts || !Kernel::takes_parts) {
        auto const add = [&](char const* extents, auto prepare) {
          cases.push_back({Kernel::name, Layout::name(),
                           std::is_same_v<Layout, Order> ? "matching" : "crossed", extents,
                           D::name, Way::name, D::edge * D::edge * D::edge, prepare});
        };
        add("dynamic",
            [] { return Kernel::template prepare<How<D, Way, Layout, Order, false>>(); });
        add("static",
            [] { return Kernel::template prepare<How<D, Way, Layout, Order, true>>(); });
      }
    });
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
