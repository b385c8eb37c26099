#include "element_trial.hpp"

namespace strata::hexgrad {

namespace {

/// The core's spans and launches. A host computes on packs of elements where neighbours are
/// contiguous; a GPU thread takes one element, whose 24 independent loads hide the latency.
template <class In, class Out, class Layout, class E, class Access>
void launch_spans(Fields<In, Out, Layout> const& fields)
{
  using Read = std::conditional_t<std::is_same_v<Access, AccessRestrict>, AccessRestrict,
                                  AccessReadOnly>;
  auto const mapping = mapping_for<Layout, E>(fields.count());
  Span<In const, E, Layout, Read> const in(fields.coordinates.data(), mapping);
  Span<Out, E, Layout, Access> const out(fields.gradients.data(), mapping);
  BasisGradient<decltype(in), decltype(out)> const kernel{in, out};
  if constexpr (device_is_host && !std::is_same_v<Layout, LayoutRight>)
    for_each(fields.count(), kernel, widest_packs<In, Layout>);
  else
    for_each(fields.count(), kernel);
}

/// Scalars, extents and access rules are varied in one layout of each kind only; the other
/// layouts are measured with one combination of these.
template <class Layout>
inline constexpr bool is_varied =
    std::is_same_v<Layout, LayoutBest> || std::is_same_v<Layout, LayoutLeft> ||
    std::is_same_v<Layout, LayoutRight>;

template <class In, class Out, class Layout, class E, class Access>
driver::Maker made(Problem const& problem)
{
  return maker<In, Out, Layout>(problem, &launch_spans<In, Out, Layout, E, Access>);
}

template <class Layout>
driver::Maker varied(Choice const& choice, Problem const& problem)
{
  if (choice.scalar != "double-double") {
    if (choice.extents != "static" || choice.access != AccessDefault::name())
      return {};
    if (choice.scalar == "double-float")
      return made<double, float, Layout, StaticExtents, AccessDefault>(problem);
    return made<float, float, Layout, StaticExtents, AccessDefault>(problem);
  }
  if (choice.extents == "dynamic") {
    if (choice.access != AccessDefault::name())
      return {};
    return made<double, double, Layout, DynamicExtents, AccessDefault>(problem);
  }
  if (choice.access == AccessRestrict::name())
    return made<double, double, Layout, StaticExtents, AccessRestrict>(problem);
  // In LayoutRight a host cannot store packs of elements.
  if constexpr (!std::is_same_v<Layout, LayoutRight> || !device_is_host)
    if (choice.access == AccessStreaming::name())
      return made<double, double, Layout, StaticExtents, AccessStreaming>(problem);
  return {};
}

bool is_plain(Choice const& choice)
{
  return choice.scalar == "double-double" && choice.extents == "static" &&
         choice.access == AccessDefault::name();
}

} // namespace

driver::Maker span_maker(Choice const& choice, Problem const& problem)
{
  driver::Maker found;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout != Layout::name())
      return;
    if (is_plain(choice))
      found = made<double, double, Layout, StaticExtents, AccessDefault>(problem);
    else if constexpr (is_varied<Layout>)
      found = varied<Layout>(choice, problem);
  });
  return found;
}

} // namespace strata::hexgrad
