#include "array_trial.hpp"

#include "verify/fill.hpp"

namespace strata::stream {

ArrayTrialBase::ArrayTrialBase(Choice const& choice, Geometry const& geometry)
    : choice_(choice)
    , geometry_(geometry)
    , sum_("strata::stream::sum", Extents<index_t>())
{
}

measure::Work ArrayTrialBase::work() const
{
  return choice_.scalar == "float" ? kernel_work<float>(choice_.id, geometry_.elements)
                                   : kernel_work<double>(choice_.id, geometry_.elements);
}

std::vector<driver::Metric> ArrayTrialBase::metrics() const
{
  return metrics_of(choice_, work());
}

std::vector<verify::Verdict> ArrayTrialBase::verify(int steps)
{
  if (is_sum(choice_.id)) {
    double sum = 0;
    Kokkos::deep_copy(sum, view_of(sum_));
    return {judge_sum(sum, geometry_, choice_.id)};
  }
  double const error = largest_error(steps);
  return {choice_.scalar == "float" ? judge_values<float>(error, choice_.id, steps)
                                    : judge_values<double>(error, choice_.id, steps)};
}

verify::Output ArrayTrialBase::output()
{
  if (is_sum(choice_.id))
    return {sum_.data(), 1};
  return values();
}

Memory<> ArrayTrialBase::memory_of(Field field, driver::Workspace& workspace) const
{
  return workspace.take(field_slot(choice_, geometry_, field));
}

void ArrayTrialBase::spoil_sum() const
{
  verify::fill(sum_.memory(), std::byte{0xff}); // a NaN
}

} // namespace strata::stream
