#include "native_sparse.hpp"

#include "native_launch.hpp"

#include "base/cuda_sum.hpp"
#include "base/kokkos.hpp"
#include "kernels/lanes.hpp"

namespace strata::matvec::native {

namespace {

/// (A x)[row], one product after the other.
KOKKOS_FUNCTION double row_sum(SparseProduct const& p, index_t row)
{
  double sum = 0;
  for (index_t entry = p.offsets[row]; entry < p.offsets[row + 1]; ++entry)
    sum += p.values[entry] * p.x[p.places[entry]];
  return sum;
}

} // namespace

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

__global__ void __launch_bounds__(block) row_by_hand(SparseProduct p)
{
  index_t const row = my_item();
  if (row < p.lines)
    p.y[row] = row_sum(p, row);
}

template <int Lanes>
__global__ void __launch_bounds__(block) shared_row_by_hand(SparseProduct p)
{
  index_t const row = my_item() / Lanes;
  int const lane = static_cast<int>(threadIdx.x) % Lanes;
  double sum = 0;
  if (row < p.lines) {
    index_t const end = __ldg(p.offsets + row + 1);
    for (index_t entry = __ldg(p.offsets + row) + lane; entry < end; entry += Lanes)
      sum += __ldg(p.values + entry) * __ldg(p.x + __ldg(p.places + entry));
  }
  sum = cuda::lanes_sum<Lanes>(sum);
  if (lane == 0 && row < p.lines)
    p.y[row] = sum;
}

__global__ void __launch_bounds__(block) zero_by_hand(SparseProduct p)
{
  index_t const row = my_item();
  if (row < p.rows)
    p.y[row] = 0;
}

__global__ void __launch_bounds__(block) column_by_hand(SparseProduct p)
{
  index_t const col = my_item();
  if (col >= p.lines)
    return;
  double const factor = p.x[col];
  for (index_t entry = p.offsets[col]; entry < p.offsets[col + 1]; ++entry)
    atomicAdd(p.y + p.places[entry], p.values[entry] * factor);
}

} // namespace

void csr_rows(SparseProduct const& p)
{
  row_by_hand<<<blocks_for(p.lines), block>>>(p);
}

void csr_best(SparseProduct const& p)
{
  with_lanes((p.entries + p.lines - 1) / p.lines, [&](auto lanes) {
    constexpr int of_row = decltype(lanes)::value;
    shared_row_by_hand<of_row><<<blocks_for(p.lines * of_row), block>>>(p);
  });
}

void csc_columns(SparseProduct const& p)
{
  zero_by_hand<<<blocks_for(p.rows), block>>>(p);
  column_by_hand<<<blocks_for(p.lines), block>>>(p);
}

#else

void csr_rows(SparseProduct const& p)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.lines; ++row)
    p.y[row] = row_sum(p, row);
}

void csr_best(SparseProduct const& p)
{
  csr_rows(p);
}

void csc_columns(SparseProduct const& p)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.rows; ++row)
    p.y[row] = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t col = 0; col < p.lines; ++col) {
    double const factor = p.x[col];
    for (index_t entry = p.offsets[col]; entry < p.offsets[col + 1]; ++entry) {
      double& sum = p.y[p.places[entry]];
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp atomic
#endif
      sum += p.values[entry] * factor;
    }
  }
}

#endif

} // namespace strata::matvec::native
