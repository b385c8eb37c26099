#include "native.hpp"

#include "base/cuda/sum.hpp"

namespace strata::appname::native {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

constexpr int block = 256;

template <class T>
__global__ void scale_by_hand(T const* __restrict__ x, T* __restrict__ y, T a, index_t count)
{
  nvidia::await_last_launch();
  index_t const i = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  if (i < count)
    y[i] = a * x[i];
}

} // namespace

#endif

template <class T>
void scale(T const* x, T* y, T a, index_t count)
{
#if defined(KOKKOS_ENABLE_CUDA)
  nvidia::launch_early(scale_by_hand<T>, static_cast<unsigned>((count + block - 1) / block),
                       block, 0, nvidia::stream(), x, y, a, count);
#else
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t i = 0; i < count; ++i)
    y[i] = a * x[i];
#endif
}

template void scale<float>(float const*, float*, float, index_t);
template void scale<double>(double const*, double*, double, index_t);

} // namespace strata::appname::native
