#include "native.hpp"

#include "base/cuda/sum.hpp"

#include <cmath>

namespace strata::mgs::native {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)

constexpr int block = nvidia::sum_block;

/// Columns start on multiples of 16 bytes. A thread has two rows; an odd last row has its own.
unsigned blocks_for(index_t rows)
{
  return static_cast<unsigned>((rows / 2 + 1 + block - 1) / block);
}

__global__ void scale_by_hand(double* x, index_t rows, double const* square, double* norm)
{
  nvidia::await_last_launch();
  index_t const i = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  double const length = sqrt(*square);
  double const inverse = 1 / length;
  if (i < rows / 2) {
    double2 v = reinterpret_cast<double2*>(x)[i];
    v.x *= inverse;
    v.y *= inverse;
    reinterpret_cast<double2*>(x)[i] = v;
  } else if (i == rows / 2 && rows % 2 != 0)
    x[rows - 1] *= inverse;
  if (i == 0)
    *norm = length;
}

__global__ void update_by_hand(double const* x, double* y, index_t rows, double const* r)
{
  nvidia::await_last_launch();
  index_t const i = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  double const factor = *r;
  if (i < rows / 2) {
    double2 const u = reinterpret_cast<double2 const*>(x)[i];
    double2 v = reinterpret_cast<double2*>(y)[i];
    v.x -= factor * u.x;
    v.y -= factor * u.y;
    reinterpret_cast<double2*>(y)[i] = v;
  } else if (i == rows / 2 && rows % 2 != 0)
    y[rows - 1] -= factor * x[rows - 1];
}

#endif

} // namespace

#if defined(KOKKOS_ENABLE_CUDA)

void dot(double const* x, double const* y, index_t rows, double* sum)
{
  nvidia::launch_sum<true>(x, y, rows, sum, nvidia::most_sum_blocks / 2);
}

void scale(double* x, index_t rows, double const* square, double* norm)
{
  nvidia::launch_early(scale_by_hand, blocks_for(rows), block, 0, nvidia::stream(), x, rows,
                       square, norm);
}

void update(double const* x, double* y, index_t rows, double const* r)
{
  nvidia::launch_early(update_by_hand, blocks_for(rows), block, 0, nvidia::stream(), x, y, rows,
                       r);
}

#else

void dot(double const* x, double const* y, index_t rows, double* sum)
{
  double total = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for simd schedule(static) reduction(+ : total)
#endif
  for (index_t i = 0; i < rows; ++i)
    total += x[i] * y[i];
  *sum = total;
}

void scale(double* x, index_t rows, double const* square, double* norm)
{
  *norm = std::sqrt(*square);
  double const inverse = 1 / *norm;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for simd schedule(static)
#endif
  for (index_t i = 0; i < rows; ++i)
    x[i] *= inverse;
}

void update(double const* x, double* y, index_t rows, double const* r)
{
  double const factor = *r;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for simd schedule(static)
#endif
  for (index_t i = 0; i < rows; ++i)
    y[i] -= factor * x[i];
}

#endif

} // namespace strata::mgs::native
