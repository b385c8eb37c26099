#pragma once

#include "array/dense/copy.hpp"
#include "array/launch/for_each.hpp"

namespace strata::test {

template <class T>
using Vector = Array<T, Dynamic<1>, LayoutRight>;
/// The result of a reduction.
using Scalar = Array<double, Extents<index_t>, LayoutRight>;

/// The elements where the host can read them.
template <class A>
auto on_host(A const& array)
{
  auto mirror = host_mirror(array);
  Kokkos::fence();
  if (static_cast<void*>(mirror.data()) != static_cast<void*>(array.data()))
    copy(mirror, array);
  return mirror;
}

/// values(i) = i mod 1000
template <class Values>
struct Place
{
  static constexpr char const* name() { return "strata::test::Place"; }
  Values values;
  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    values(i) = static_cast<typename Values::value_type>(i % 1000);
  }
};

} // namespace strata::test
