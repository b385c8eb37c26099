#pragma once

#include "array.hpp"
#include "elementwise.hpp"
#include "for_each.hpp"

namespace strata {

namespace detail {

/// The order of a copy's writes; strides are no order, so there the reads', or the device's
/// own.
template <class To, class From>
using CopyOrder = std::conditional_t<
    !std::is_same_v<To, LayoutStride>, To,
    std::conditional_t<!std::is_same_v<From, LayoutStride>, From, LayoutDefault>>;

} // namespace detail

/// Deep copy between arrays of equal extents, whatever their layouts and memory spaces; done
/// when it returns. Equal mappings are copied as bytes, else element by element where one
/// execution space reaches both, else by way of a mirror in the source's order.
/// Source: S1 section III (deep copy across devices and maps).
template <class T, class E, class Layout, class Space, class U, class F, class OtherLayout,
          class OtherSpace>
void copy(Array<T, E, Layout, Space> const& to,
          Array<U, F, OtherLayout, OtherSpace> const& from)
{
  STRATA_CHECK(to.extents() == from.extents(),
               "copy of array '" + from.label() + "' to '" + to.label() + "' of another size");
  constexpr bool reachable = Kokkos::SpaceAccessibility<Space, OtherSpace>::accessible;
  if constexpr (std::is_same_v<T, U> && std::is_same_v<Layout, OtherLayout> &&
                std::is_same_v<E, F>) {
    if (to.mapping() == from.mapping()) {
      Kokkos::fence(); // launches before it, on whichever side, are done
      auto const bytes = static_cast<std::size_t>(to.bytes_for(to.mapping()));
      auto const whole = std::pair<std::size_t, std::size_t>(0, bytes);
      Kokkos::deep_copy(Kokkos::subview(to.memory(), whole),
                        Kokkos::subview(from.memory(), whole));
      return;
    }
  }
  if constexpr (reachable) {
    auto const in = from.read();
    auto const out = to.write();
    for_each<typename Space::execution_space>(
        in_order_of<detail::CopyOrder<Layout, OtherLayout>>(to.extents()),
        Copy<decltype(in), decltype(out)>{in, out});
    Kokkos::fence();
  } else {
    Array<U, F, OtherLayout, Space> const near(from.label(), from.mapping());
    copy(near, from);
    copy(to, near);
  }
}

/// The one value of an array without indices, fetched from wherever it is.
template <class T, class Space>
T value_of(Array<T, Extents<index_t>, LayoutRight, Space> const& scalar)
{
  T value{};
  Kokkos::deep_copy(value,
                    Kokkos::View<T const, Space, Kokkos::MemoryUnmanaged>(scalar.data()));
  return value;
}

} // namespace strata
