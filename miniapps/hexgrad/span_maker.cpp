#include "span_launch.hpp"

#include "driver/axis.hpp"

namespace strata::hexgrad {

namespace {

template <class Layout>
driver::Maker of_access(std::string const& access, Problem const& problem)
{
  if (access == driver::word_of<AccessDefault>())
    return made<double, double, Layout>(problem);
  if constexpr (is_varied<Layout>) {
    if (access == driver::word_of<AccessRestrict>())
      return made<double, double, Layout, StaticExtents, AccessRestrict>(problem);
    if (access == driver::word_of<AccessStreaming>())
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
  SpanLayouts::at(choice.layout,
                  [&]<class Layout>() { found = of_access<Layout>(choice.access, problem); });
  return found;
}

} // namespace strata::hexgrad
