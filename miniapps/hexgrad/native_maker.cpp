#include "element_trial.hpp"
#include "native.hpp"

namespace strata::hexgrad {

namespace {

class NativeTrial final : public ElementTrial<double, double, StaticExtents, LayoutBest>
{
  static_assert(std::is_same_v<LayoutBest, LayoutTiled<native::tile>>);

public:
  using ElementTrial::ElementTrial;

  void step() override { native::run(coordinates_.data(), gradients_.data(), problem_.count); }
};

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (choice.layout != LayoutBest::name() || choice.scalar != "double-double" ||
      choice.extents != "static" || choice.access != AccessDefault::name())
    return {};
  return [problem](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    return std::make_unique<NativeTrial>(problem, workspace);
  };
}

} // namespace strata::hexgrad
