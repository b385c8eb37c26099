#pragma once

#include "for_each.hpp"

#include "../span/span.hpp"

namespace strata {

/// a *= factor
template <class A>
struct Rescale
{
  static constexpr char const* name() { return "strata::Rescale"; }
  A a;
  typename A::value_type factor;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    a(i) = factor * a(i);
  }
};

/// Multiplies every element by `factor` once, also where several indices share it, which a
/// loop over indices would not. Source: S2 section III.B (layouts that are not unique).
template <class Execution = Device, class T, class E, class Layout, class Access>
void scale(Span<T, E, Layout, Access> const& span, T factor)
{
  auto const stored = codomain(span);
  for_each<Execution>(stored.size(), Rescale<decltype(stored)>{stored, factor});
}

} // namespace strata
