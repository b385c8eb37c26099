#include "array_trial.hpp"

#include "driver/axis.hpp"
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
  return driver::with_scalar(choice_.scalar, [&]<class T>() -> measure::Work {
    return kernel_work<T>(choice_.id, geometry_.elements);
  });
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
  return {driver::with_scalar(choice_.scalar, [&]<class T>() -> verify::Verdict {
    return judge_values<T>(error, choice_.id, steps);
  })};
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

std::vector<driver::Metric> metrics_of(Choice const& choice, measure::Work const& work)
{
  auto const counted = static_cast<double>(work.bytes());
  std::vector<driver::Metric> metrics{{"bandwidth", "B/s", counted}};
  // nstream reads the array that it writes.
  if (device_is_host && choice.access != driver::word_of<AccessStreaming>() &&
      work.bytes_written > 0 && choice.id != KernelId::nstream)
    metrics.push_back({"bandwidth_with_write_allocate", "B/s",
                       counted + static_cast<double>(work.bytes_written)});
  return metrics;
}

} // namespace strata::stream
