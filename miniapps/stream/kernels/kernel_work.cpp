#include "array/span/span.hpp"
#include "kernels/kernel_table.hpp"

namespace strata::stream {

template <class T>
measure::Work kernel_work(KernelId kernel, index_t size)
{
  // Counted traffic depends on the elements only, not on layout or address.
  auto const operand = [&](Field) {
    return Span<T, Dynamic<1>, LayoutRight>(nullptr, Dynamic<1>(size));
  };
  return with_kernel(kernel, [&]<KernelId Id>() {
    return work::of(make_kernel<Id>(operand, operand, computed_t<T>{}), size);
  });
}

template measure::Work kernel_work<float>(KernelId, index_t);
template measure::Work kernel_work<float16>(KernelId, index_t);
template measure::Work kernel_work<bfloat16>(KernelId, index_t);
template measure::Work kernel_work<double>(KernelId, index_t);

} // namespace strata::stream
