#include "element_trial.hpp"

namespace strata::hexgrad {

namespace {

/// The core's spans and launches. A host computes on packs of elements wherever neighbours
/// lie together; a GPU thread takes one element, whose 24 loads are enough in flight.
template <class In, class Out, class E, class Layout, class Access>
class SpanTrial final : public ElementTrial<In, Out, E, Layout>
{
public:
  using ElementTrial<In, Out, E, Layout>::ElementTrial;

  void step() override
  {
    auto const in = this->coordinates_.template read<Read>();
    auto const out = this->gradients_.template write<Access>();
    BasisGradient<decltype(in), decltype(out)> const kernel{in, out};
    if constexpr (device_is_host && !std::is_same_v<Layout, LayoutRight>)
      for_each(this->problem_.count, kernel, widest_packs<In, Layout>);
    else
      for_each(this->problem_.count, kernel);
  }

private:
  using Read = std::conditional_t<std::is_same_v<Access, AccessRestrict>, AccessRestrict,
                                  AccessReadOnly>;
};

template <class Trial>
driver::Maker maker(Problem const& problem)
{
  return [problem](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    return std::make_unique<Trial>(problem, workspace);
  };
}

template <class In, class Out, class Layout>
driver::Maker access_maker(Choice const& choice, Problem const& problem)
{
  constexpr bool doubles = std::is_same_v<In, double> && std::is_same_v<Out, double>;
  if (choice.extents == "dynamic") {
    // One of each kind of order tells what run-time extents cost.
    if constexpr (doubles &&
                  (std::is_same_v<Layout, LayoutBest> || std::is_same_v<Layout, LayoutLeft> ||
                   std::is_same_v<Layout, LayoutRight>))
      if (choice.access == AccessDefault::name())
        return maker<SpanTrial<In, Out, DynamicExtents, Layout, AccessDefault>>(problem);
    return {};
  }
  if (choice.access == AccessDefault::name())
    return maker<SpanTrial<In, Out, StaticExtents, Layout, AccessDefault>>(problem);
  if constexpr (doubles) {
    if (choice.access == AccessRestrict::name())
      return maker<SpanTrial<In, Out, StaticExtents, Layout, AccessRestrict>>(problem);
    // Rows of one element cannot be stored in whole packs.
    if constexpr (!std::is_same_v<Layout, LayoutRight> || !device_is_host)
      if (choice.access == AccessStreaming::name())
        return maker<SpanTrial<In, Out, StaticExtents, Layout, AccessStreaming>>(problem);
  }
  return {};
}

} // namespace

driver::Maker span_maker(Choice const& choice, Problem const& problem)
{
  driver::Maker made;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout != Layout::name())
      return;
    if (choice.scalar == "double-double")
      made = access_maker<double, double, Layout>(choice, problem);
    else if (choice.scalar == "double-float")
      made = access_maker<double, float, Layout>(choice, problem);
    else
      made = access_maker<float, float, Layout>(choice, problem);
  });
  return made;
}

} // namespace strata::hexgrad
