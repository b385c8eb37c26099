#pragma once

#include "kernels.hpp"
#include "trials.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "verify/compare.hpp"

#include <limits>

// What the variants share: the two vectors, their values and the check.

namespace strata::appname {

template <class T>
struct Fields
{
  Array<T, Dynamic<1>> x, y;

  [[nodiscard]] index_t count() const { return x.extents().extent(0); }
};

/// One step: what the variants differ in.
template <class T>
using Launch = void (*)(Fields<T> const&);

/// Values, launch and check of a case.
template <class T>
class ScaleTrial final : public driver::Trial
{
public:
  ScaleTrial(Problem const& problem, Launch<T> launch, driver::Workspace& workspace)
      : problem_(problem)
      , launch_(launch)
      , fields_{{workspace.take(vector_slot(0, problem, sizeof(T))), Dynamic<1>(problem.count)},
                {workspace.take(vector_slot(1, problem, sizeof(T))), Dynamic<1>(problem.count)}}
  {
  }

  void reset() override
  {
    auto const x = fields_.x.write();
    auto const y = fields_.y.write();
    verify::for_every(problem_.count, Initialise<decltype(x)>{x, problem_.first});
    verify::for_every(problem_.count, Set<decltype(y)>{y, std::numeric_limits<T>::quiet_NaN()});
  }
  void step() override { launch_(fields_); }

  [[nodiscard]] measure::Work work() const override
  {
    return work::reads(fields_.x) + work::writes(fields_.y) +
           work::flops(scale_flops * problem_.count);
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())}};
  }

  std::vector<verify::Verdict> verify(int /*steps*/) override
  {
    auto const error = verify::largest_error(fields_.y.read(), Expected{problem_.first});
    return {verify::judge("max_relative_error", error, 0)};
  }
  verify::Output output() override { return {fields_.y.data(), problem_.count}; }

private:
  Problem problem_;
  Launch<T> launch_;
  Fields<T> fields_;
};

/// Makes the trial of a launch.
template <class T>
driver::Maker maker(Problem const& problem, Launch<T> launch)
{
  return [problem, launch](driver::Workspace& workspace) {
    return std::make_unique<ScaleTrial<T>>(problem, launch, workspace);
  };
}

} // namespace strata::appname
