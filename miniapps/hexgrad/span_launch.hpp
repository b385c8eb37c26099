#pragma once

#include "element_trial.hpp"

#include "array/access/pack.hpp"

#include <algorithm>
#include <type_traits>

// Variant span: the launch, and which of its combinations are measured.

namespace strata::hexgrad {

/// The core's spans and launches. A host computes on packs of elements, of LayoutRight by rows
/// of nodes; a GPU thread takes one element, whose 24 independent loads hide the latency.
template <class In, class Out, class Layout, class E, class Access>
void launch_spans(Fields<In, Out, Layout> const& fields)
{
  using Read = std::conditional_t<std::is_same_v<Access, AccessRestrict>, AccessRestrict,
                                  AccessReadOnly>;
  auto const mapping = mapping_for<Layout, E>(fields.count());
  Span<In const, E, Layout, Read> const in(fields.coordinates.data(), mapping);
  Span<Out, E, Layout, Access> const out(fields.gradients.data(), mapping);
  BasisGradient<decltype(in), decltype(out)> const kernel{in, out};
  if constexpr (!device_is_host)
    for_each(fields.count(), kernel);
  else if constexpr (std::is_same_v<Layout, LayoutRight>)
    for_each(fields.count(), BasisGradientOfRows<decltype(in), decltype(out)>{kernel},
             Packs<std::min(nodes, pack_width<In>)>());
  else
    for_each(fields.count(), kernel, widest_packs<In, Layout>);
}

/// Scalars, extents and access rules are varied in one layout of each kind only; the other
/// layouts are measured with one combination of these.
template <class Layout>
inline constexpr bool is_varied =
    std::is_same_v<Layout, LayoutBest> || std::is_same_v<Layout, LayoutLeft> ||
    std::is_same_v<Layout, LayoutRight>;

template <class In, class Out, class Layout, class E = StaticExtents,
          class Access = AccessDefault>
driver::Maker made(Problem const& problem)
{
  return maker<In, Out, Layout>(problem, &launch_spans<In, Out, Layout, E, Access>);
}

} // namespace strata::hexgrad
