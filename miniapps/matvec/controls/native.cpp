#include "native.hpp"

#include "native_launch.hpp"

#include "base/cuda_sum.hpp"

#include <algorithm>

namespace strata::matvec::native {

namespace {

/// (A x)[row], one product after the other.
template <bool Left>
KOKKOS_FUNCTION double row_sum(Product const& p, index_t row)
{
  double sum = 0;
  for (index_t col = 0; col < p.cols; ++col)
    sum += (Left ? p.a[row + p.rows * col] : p.a[row * p.cols + col]) * p.x[col];
  return sum;
}

#if defined(KOKKOS_ENABLE_CUDA)

using cuda::warp;

template <bool Left>
__global__ void row_by_hand(Product p)
{
  index_t const row = my_item();
  if (row < p.rows)
    p.y[row] = row_sum<Left>(p, row);
}

template <bool Left>
void rows_by_hand(Product const& p)
{
  row_by_hand<Left><<<blocks_for(p.rows), block>>>(p);
}

/// A thread has a pair of rows, for 16-byte loads, with eight columns in flight. Each part of
/// the columns has partial sums.
__global__ void __launch_bounds__(block)
    left_by_hand(Product p, index_t pairs, index_t part_cols, double* __restrict__ out)
{
  index_t const pair = my_item();
  if (pair >= pairs)
    return;
  index_t const part = blockIdx.y;
  index_t const end = min(p.cols, (part + 1) * part_cols);
  auto const* a = reinterpret_cast<double2 const*>(p.a) + pair;
  double2 sum = {0, 0};
#pragma unroll 8
  for (index_t col = part * part_cols; col < end; ++col) {
    double2 const element = __ldg(a + pairs * col);
    double const factor = __ldg(p.x + col);
    sum.x += element.x * factor;
    sum.y += element.y * factor;
  }
  reinterpret_cast<double2*>(out)[pairs * part + pair] = sum;
}

__global__ void parts_by_hand(double const* __restrict__ partial, double* __restrict__ y,
                              index_t rows, index_t parts)
{
  index_t const row = my_item();
  if (row >= rows)
    return;
  double sum = 0;
  for (index_t part = 0; part < parts; ++part)
    sum += partial[rows * part + row];
  y[row] = sum;
}

/// A warp has four rows: 16-byte loads, sums by shuffles.
__global__ void __launch_bounds__(block) right_by_hand(Product p)
{
  constexpr int together = 4;
  index_t const first =
      (blockIdx.x * static_cast<index_t>(block / warp) + threadIdx.x / warp) * together;
  int const lane = static_cast<int>(threadIdx.x) % warp;
  index_t const pairs = p.cols / 2;
  double sum[together] = {};
  auto const* x = reinterpret_cast<double2 const*>(p.x);
  auto const row = [&](int r) {
    return reinterpret_cast<double2 const*>(p.a) + pairs * min(first + r, p.rows - 1);
  };
#pragma unroll 4
  for (index_t pair = lane; pair < pairs; pair += warp) {
    double2 const factor = __ldg(x + pair);
    for (int r = 0; r < together; ++r) {
      double2 const element = __ldg(row(r) + pair);
      sum[r] += element.x * factor.x + element.y * factor.y;
    }
  }
  for (int r = 0; r < together; ++r) {
    double const total = cuda::warp_sum(sum[r]);
    if (lane == 0 && first + r < p.rows)
      p.y[first + r] = total;
  }
}

#else

template <bool Left>
void rows_by_hand(Product const& p)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.rows; ++row)
    p.y[row] = row_sum<Left>(p, row);
}

#endif

} // namespace

void rows_left(Product const& p)
{
  rows_by_hand<true>(p);
}

void rows_right(Product const& p)
{
  rows_by_hand<false>(p);
}

#if defined(KOKKOS_ENABLE_CUDA)

void best_left(Product const& p)
{
  if (p.rows % 2 != 0)
    return rows_left(p);
  constexpr index_t items = 1 << 18; // a device full of threads
  index_t const pairs = p.rows / 2;
  index_t const parts = std::clamp<index_t>((items + pairs - 1) / pairs, 1, p.most_parts);
  index_t const part_cols = (p.cols + parts - 1) / parts;
  double* const out = parts == 1 ? p.y : p.partial;
  dim3 const grid(blocks_for(pairs), static_cast<unsigned>(parts));
  left_by_hand<<<grid, block>>>(p, pairs, part_cols, out);
  if (parts > 1)
    parts_by_hand<<<blocks_for(p.rows), block>>>(p.partial, p.y, p.rows, parts);
}

void best_right(Product const& p)
{
  if (p.cols % 2 != 0)
    return rows_right(p);
  right_by_hand<<<blocks_for((p.rows + 3) / 4 * warp), block>>>(p);
}

#else

void best_left(Product const& p)
{
  constexpr index_t block = 1024; // rows whose sums stay in the first-level cache
  index_t const blocks = (p.rows + block - 1) / block;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t b = 0; b < blocks; ++b) {
    index_t const first = b * block;
    index_t const count = std::min(block, p.rows - first);
    double* const y = p.y + first;
    std::fill_n(y, count, 0.0);
    index_t col = 0;
    for (; col + 4 <= p.cols; col += 4) {
      double const* const a0 = p.a + p.rows * col + first;
      double const* const a1 = a0 + p.rows;
      double const* const a2 = a1 + p.rows;
      double const* const a3 = a2 + p.rows;
      double const x0 = p.x[col], x1 = p.x[col + 1], x2 = p.x[col + 2], x3 = p.x[col + 3];
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp simd
#endif
      for (index_t i = 0; i < count; ++i)
        y[i] += a0[i] * x0 + a1[i] * x1 + a2[i] * x2 + a3[i] * x3;
    }
    for (; col < p.cols; ++col)
      for (index_t i = 0; i < count; ++i)
        y[i] += p.a[p.rows * col + first + i] * p.x[col];
  }
}

void best_right(Product const& p)
{
  index_t const whole = p.rows / 4 * 4; // four rows share x and hide the additions' latency
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.rows; row += 4) {
    if (row == whole) {
      for (index_t last = row; last < p.rows; ++last)
        p.y[last] = row_sum<false>(p, last);
      continue;
    }
    double const* const a0 = p.a + row * p.cols;
    double const* const a1 = a0 + p.cols;
    double const* const a2 = a1 + p.cols;
    double const* const a3 = a2 + p.cols;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp simd reduction(+ : s0, s1, s2, s3)
#endif
    for (index_t col = 0; col < p.cols; ++col) {
      double const factor = p.x[col];
      s0 += a0[col] * factor;
      s1 += a1[col] * factor;
      s2 += a2[col] * factor;
      s3 += a3[col] * factor;
    }
    p.y[row] = s0;
    p.y[row + 1] = s1;
    p.y[row + 2] = s2;
    p.y[row + 3] = s3;
  }
}

#endif

} // namespace strata::matvec::native
