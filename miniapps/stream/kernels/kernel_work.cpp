#include "array/span/span.hpp"
#include "kernels/kernel_table.hpp"
#include "trials/trials.hpp"

namespace strata::stream {

template <class T>
measure::Work kernel_work(KernelId kernel, index_t size)
{
  // Counted traffic depends on the elements only, not on layout or address.
  auto const operand = [&](Field) {
    return Span<T, Dynamic<1>, LayoutRight>(nullptr, Dynamic<1>(size));
  };
  return with_kernel(kernel, [&]<KernelId Id>() {
    return work::of(make_kernel<Id>(operand, operand, T{}), size);
  });
}

std::vector<driver::Metric> metrics_of(Choice const& choice, measure::Work const& work)
{
  auto const counted = static_cast<double>(work.bytes());
  std::vector<driver::Metric> metrics{{"bandwidth", "B/s", counted}};
  // nstream reads the array that it writes.
  if (device_is_host && choice.access != AccessStreaming::name() && work.bytes_written > 0 &&
      choice.id != KernelId::nstream)
    metrics.push_back({"bandwidth_with_write_allocate", "B/s",
                       counted + static_cast<double>(work.bytes_written)});
  return metrics;
}

template measure::Work kernel_work<float>(KernelId, index_t);
template measure::Work kernel_work<double>(KernelId, index_t);

} // namespace strata::stream
