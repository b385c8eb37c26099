#pragma once

#include "array.hpp"

#include "../launch/elementwise.hpp"
#include "../launch/for_each.hpp"

namespace strata {

namespace detail {

template <class Layout, class E>
concept Ordered = requires { sizeof(Walk<Layout, E>); };

/// A copy visits elements in the order of the layout it writes; if there is no Walk for that
/// layout (LayoutStride, LayoutSymmetric), in that of the layout it reads, else in the device's
/// own.
template <class To, class From, class E>
using CopyOrder = std::conditional_t<Ordered<To, E>, To,
                                     std::conditional_t<Ordered<From, E>, From, LayoutDefault>>;

/// c = a where several indices share an element of c: the value at the index that c stores.
template <class A, class C>
struct CopyStored
{
  static constexpr char const* name() { return "strata::Copy"; }
  A a;
  C c;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    if (c.mapping().stores(i...))
      c(i...) = convert<typename C::value_type>(a(i...));
  }
};

template <class Execution, class In, class Out>
void copy_elements(In const& in, Out const& out)
{
  if constexpr (Out::rank() == 0) {
    copy_elements<Execution>(codomain(in), codomain(out));
  } else {
    using Order = CopyOrder<typename Out::layout_type, typename In::layout_type,
                            typename Out::extents_type>;
    using Kernel = std::conditional_t<Out::mapping_type::is_always_unique(), Copy<In, Out>,
                                      CopyStored<In, Out>>;
    for_each<Execution>(in_order_of<Order>(out.extents()), Kernel{in, out});
  }
}

} // namespace detail

/// Deep copy between arrays of equal extents, of any layouts and memory spaces. It has finished
/// when it returns. Arrays with equal mappings are copied as bytes; others element by element
/// if one execution space reaches both, else through a mirror with the source's mapping. If
/// several indices share an element of `to` (LayoutSymmetric), the stored half of `from` is
/// copied. Source: S1 section III (deep copy across devices and maps).
template <class T, class E, class Layout, class Space, class U, class F, class OtherLayout,
          class OtherSpace>
void copy(Array<T, E, Layout, Space> const& to,
          Array<U, F, OtherLayout, OtherSpace> const& from)
{
  static_assert(E::rank() == F::rank(), "both arrays of a copy have as many indices");
  for (std::size_t r = 0; r < E::rank(); ++r)
    detail::require(to.extent(r) == from.extent(r),
                    "copy of array '%s' to '%s': index %d has the sizes %lld and %lld",
                    from.label().c_str(), to.label().c_str(), static_cast<int>(r),
                    static_cast<long long>(from.extent(r)),
                    static_cast<long long>(to.extent(r)));
  constexpr bool reachable = Kokkos::SpaceAccessibility<Space, OtherSpace>::accessible;
  Kokkos::fence(); // launches before it, on whichever side, are done
  if constexpr (std::is_same_v<T, U> && std::is_same_v<Layout, OtherLayout> &&
                std::is_same_v<E, F>) {
    if (to.mapping() == from.mapping()) {
      auto const bytes = static_cast<std::size_t>(to.bytes_for(to.mapping()));
      auto const whole = std::pair<std::size_t, std::size_t>(0, bytes);
      Kokkos::deep_copy(Kokkos::subview(to.memory(), whole),
                        Kokkos::subview(from.memory(), whole));
      return;
    }
  }
  if constexpr (reachable) {
    detail::copy_elements<typename Space::execution_space>(from.read(), to.write());
    Kokkos::fence();
  } else {
    Array<U, F, OtherLayout, Space> const near(from.label(), from.mapping());
    copy(near, from);
    copy(to, near);
  }
}

/// The value of an array without indices, copied to the host.
template <class T, class Space>
T value_of(Array<T, Extents<index_t>, LayoutRight, Space> const& scalar)
{
  T value{};
  Kokkos::deep_copy(value,
                    Kokkos::View<T const, Space, Kokkos::MemoryUnmanaged>(scalar.data()));
  return value;
}

} // namespace strata
