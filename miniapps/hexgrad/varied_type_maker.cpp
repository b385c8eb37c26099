#include "span_launch.hpp"

#include "driver/axis.hpp"

namespace strata::hexgrad {

namespace {

template <class Layout>
driver::Maker of_type(Choice const& choice, Problem const& problem)
{
  if (choice.extents == "dynamic")
    return choice.scalar == "double-double"
               ? made<double, double, Layout, DynamicExtents>(problem)
               : driver::Maker();
  // Narrow ones in the device's best layout alone, to spare compile time.
  if constexpr (std::is_same_v<Layout, LayoutBest>) {
    if (choice.scalar == "half-half")
      return made<float16, float16, Layout>(problem);
    if (choice.scalar == "half-float")
      return made<float16, float, Layout>(problem);
    if (choice.scalar == "bfloat16-bfloat16")
      return made<bfloat16, bfloat16, Layout>(problem);
    if (choice.scalar == "bfloat16-float")
      return made<bfloat16, float, Layout>(problem);
  }
  if (choice.scalar == "double-float")
    return made<double, float, Layout>(problem);
  if (choice.scalar == "float-double")
    return made<float, double, Layout>(problem);
  return choice.scalar == "float-float" ? made<float, float, Layout>(problem) : driver::Maker();
}

} // namespace

driver::Maker varied_type_maker(Choice const& choice, Problem const& problem)
{
  driver::Maker found;
  SpanLayouts::at(choice.layout, [&]<class Layout>() {
    if constexpr (is_varied<Layout>)
      if (choice.access == driver::word_of<AccessDefault>())
        found = of_type<Layout>(choice, problem);
  });
  return found;
}

} // namespace strata::hexgrad
