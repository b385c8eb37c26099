#include "native.hpp"

#include "base/cuda_sum.hpp"

#include <cstdint>

namespace strata::stream::native {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)

using cuda::launch_sum;
using cuda::Wide;

constexpr int block = cuda::sum_block;

/// out[i] = f(in[i]...), 16 bytes a thread; the last elements one by one.
template <class T, class F, class... In>
__global__ void elementwise(T* out, index_t n, F f, In const*... in)
{
  constexpr int width = Wide<T>::width;
  index_t const i = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  index_t const whole = n / width;
  if (i < whole) {
    Wide<T> result;
    [&](auto const... wide) {
#pragma unroll
      for (int w = 0; w < width; ++w)
        result.lane[w] = f(wide.lane[w]...);
    }(reinterpret_cast<Wide<T> const*>(in)[i]...);
    reinterpret_cast<Wide<T>*>(out)[i] = result;
  }
  if (i < n - whole * width)
    out[whole * width + i] = f(in[whole * width + i]...);
}

template <class T, class F, class... In>
void launch(T* out, index_t n, F f, In const*... in)
{
  index_t const items = n / Wide<T>::width + 1;
  elementwise<<<static_cast<unsigned>((items + block - 1) / block), block>>>(out, n, f, in...);
}

#else

/// out[i] = f(in[i]...)
template <class T, class F, class... In>
void launch(T* out, index_t n, F f, In const*... in)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for simd schedule(static)
#endif
  for (index_t i = 0; i < n; ++i)
    out[i] = f(in[i]...);
}

template <bool Product, class T>
void launch_sum(T const* x, T const* y, index_t n, double* sum)
{
  double total = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for simd schedule(static) reduction(+ : total)
#endif
  for (index_t i = 0; i < n; ++i)
    total += static_cast<double>(x[i]) * (Product ? static_cast<double>(y[i]) : 1.0);
  *sum = total;
}

#endif

} // namespace

template <class T>
void move(KernelId kernel, Fields<T> const& fields, T s)
{
  if (kernel == KernelId::set)
    launch(fields.a, fields.n, KOKKOS_LAMBDA() { return s; });
  else
    launch(fields.c, fields.n, KOKKOS_LAMBDA(T x) { return x; }, fields.a);
}

template <class T>
void run(KernelId kernel, Fields<T> const& fields, T s, double* sum)
{
  auto const [a, b, c, n] = fields;
  switch (kernel) {
  case KernelId::set:
  case KernelId::copy:
    return move(kernel, fields, s);
  case KernelId::scale:
    return launch(b, n, KOKKOS_LAMBDA(T x) { return s * x; }, c);
  case KernelId::add:
    return launch(c, n, KOKKOS_LAMBDA(T x, T y) { return x + y; }, a, b);
  case KernelId::triad:
    return launch(a, n, KOKKOS_LAMBDA(T x, T y) { return x + s * y; }, b, c);
  case KernelId::nstream:
    return launch(a, n, KOKKOS_LAMBDA(T x, T y, T z) { return x + (y + s * z); }, a, b, c);
  case KernelId::dot:
    return launch_sum<true>(a, b, n, sum);
  case KernelId::read:
    return launch_sum<false>(a, a, n, sum);
  }
}

template void move<bool>(KernelId, Fields<bool> const&, bool);
template void move<std::uint64_t>(KernelId, Fields<std::uint64_t> const&, std::uint64_t);
template void run<double>(KernelId, Fields<double> const&, double, double*);
template void run<float>(KernelId, Fields<float> const&, float, double*);

} // namespace strata::stream::native
