#include "library.hpp"

#include "base/error.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_reduce.cuh>
#else
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif
#endif

namespace strata::stream::library {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

void require(cudaError_t status, char const* what)
{
  if (status != cudaSuccess)
    throw Error(Exit::internal, std::string(what) + " failed: " + cudaGetErrorString(status));
}

/// What dot or read adds up at an index.
template <class T>
struct Term
{
  T const* a;
  T const* b; ///< null: 1
  __host__ __device__ double operator()(index_t i) const
  {
    return b == nullptr ? static_cast<double>(a[i])
                        : static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
};

struct Plus
{
  __host__ __device__ double operator()(double x, double y) const { return x + y; }
};

/// With no scratch it only sets `bytes`.
template <class T>
void sum_by_cub(KernelId kernel, native::Fields<T> const& fields, double* sum, void* scratch,
                std::size_t& bytes)
{
  Term<T> const term{fields.a, kernel == KernelId::dot ? fields.b : nullptr};
  require(cub::DeviceReduce::TransformReduce(
              scratch, bytes, thrust::counting_iterator<index_t>(0), sum, fields.n, Plus{},
              term, 0.0, Kokkos::Cuda().cuda_stream()),
          "cub::DeviceReduce::TransformReduce");
}

} // namespace

std::string name(KernelId kernel)
{
  return kernel == KernelId::copy ? "cudaMemcpy" : is_sum(kernel) ? "cub" : "";
}

template <class T>
index_t scratch_bytes(KernelId kernel, native::Fields<T> const& fields)
{
  std::size_t bytes = 0;
  if (is_sum(kernel))
    sum_by_cub(kernel, fields, nullptr, nullptr, bytes);
  return static_cast<index_t>(bytes);
}

template <class T>
void run(KernelId kernel, native::Fields<T> const& fields, double* sum, void* scratch,
         index_t bytes)
{
  auto size = static_cast<std::size_t>(bytes);
  if (is_sum(kernel))
    return sum_by_cub(kernel, fields, sum, scratch, size);
  require(cudaMemcpyAsync(fields.c, fields.a, static_cast<std::size_t>(fields.n) * sizeof(T),
                          cudaMemcpyDeviceToDevice, Kokkos::Cuda().cuda_stream()),
          "cudaMemcpyAsync");
}

#else

namespace {

/// Calls f(first, count) on every thread for its share of n elements; returns the sum.
template <class F>
double on_every_thread([[maybe_unused]] index_t n, [[maybe_unused]] F const& f)
{
  double sum = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel reduction(+ : sum)
  {
    index_t const share = (n + omp_get_num_threads() - 1) / omp_get_num_threads();
    index_t const first = std::min(n, share * omp_get_thread_num());
    sum += f(first, std::min(share, n - first));
  }
#else
  sum = f(index_t{0}, n);
#endif
  return sum;
}

} // namespace

std::string name(KernelId kernel)
{
  if (!device_is_host)
    return "";
  return kernel == KernelId::copy ? "memcpy" : is_sum(kernel) ? "std" : "";
}

template <class T>
index_t scratch_bytes(KernelId /*kernel*/, native::Fields<T> const& /*fields*/)
{
  return 0;
}

template <class T>
void run(KernelId kernel, native::Fields<T> const& fields, double* sum, void* /*scratch*/,
         index_t /*bytes*/)
{
  auto const product = [](T x, T y) { return static_cast<double>(x) * static_cast<double>(y); };
  double const total = on_every_thread(fields.n, [&](index_t first, index_t count) {
    T const* const a = fields.a + first;
    if (kernel == KernelId::dot)
      return std::transform_reduce(a, a + count, fields.b + first, 0.0, std::plus<>(), product);
    if (kernel == KernelId::read)
      return std::reduce(a, a + count, 0.0, std::plus<double>());
    std::memcpy(fields.c + first, a, static_cast<std::size_t>(count) * sizeof(T));
    return 0.0;
  });
  if (is_sum(kernel))
    *sum = total;
}

#endif

template index_t scratch_bytes<float>(KernelId, native::Fields<float> const&);
template index_t scratch_bytes<double>(KernelId, native::Fields<double> const&);
template void run<float>(KernelId, native::Fields<float> const&, double*, void*, index_t);
template void run<double>(KernelId, native::Fields<double> const&, double*, void*, index_t);

} // namespace strata::stream::library
