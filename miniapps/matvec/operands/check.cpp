#include "check.hpp"

#include "base/mix.hpp"

#include <algorithm>

namespace strata::matvec {

namespace {

constexpr index_t least_samples = 256;
constexpr index_t most_terms = index_t{1} << 22; // of all samples together

} // namespace

index_t sampled_rows(index_t count, index_t terms)
{
  return std::min(count, std::max(least_samples, most_terms / std::max<index_t>(terms, 1)));
}

index_t sampled_row(index_t sample, index_t samples, index_t count)
{
  return samples == count ? sample : sampled(sample, count);
}

template <class T>
std::vector<double> values_on_host(T const* data, index_t count)
{
  auto const size = static_cast<std::size_t>(count);
  std::vector<T> values(size);
  using Kokkos::MemoryUnmanaged;
  Kokkos::fence();
  Kokkos::deep_copy(Kokkos::View<T*, HostSpace, MemoryUnmanaged>(values.data(), size),
                    Kokkos::View<T*, DeviceSpace, MemoryUnmanaged>(const_cast<T*>(data), size));
  return {values.begin(), values.end()};
}
template std::vector<double> values_on_host<double>(double const*, index_t);
template std::vector<double> values_on_host<float>(float const*, index_t);

} // namespace strata::matvec
