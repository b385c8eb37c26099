#include "span_launch.hpp"

namespace strata::hexgrad {

namespace {

template <class Layout>
driver::Maker of_access(std::string const& access, Problem const& problem)
{
  if (access == AccessDefault::name())
    return made<double, double, Layout>(problem);
  if constexpr (is_varied<Layout>) {
    if (access == AccessRestrict::name())
      return made<double, double, Layout, StaticExtents, AccessRestrict>(problem);
    if (access == AccessStreaming::name())
      return made<double, double, Layout, StaticExtents, AccessStreaming>(problem);
  }
  return {};
}

} // namespace

driver::Maker span_maker(Choice const& choice, Problem const& problem)
{
  if (choice.scalar != "double-double" || choice.extents != "static")
    return varied_type_maker(choice, problem);
  driver::Maker found;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout == Layout::name())
      found = of_access<Layout>(choice.access, problem);
  });
  return found;
}

} // namespace strata::hexgrad
